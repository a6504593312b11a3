defmodule Lab.Pipeline do
  @moduledoc "Strings go through three stages, each of which replaces one word."

  def run(args) do
    items = Lab.count(args, "items", 1_000_000)
    {cold, warm} = Lab.repeat(fn -> pipeline(items) end)
    [wall_seconds: warm / 1.0e9, wall_seconds_cold: cold / 1.0e9, completed: items]
  end

  defp pipeline(items) do
    parent = self()
    start = Lab.now()
    writer = spawn(fn -> write(parent, 0) end)
    indexer = spawn(fn -> stage("Downloaded", "Indexed", writer) end)
    downloader = spawn(fn -> stage("Requested", "Downloaded", indexer) end)
    for i <- 0..(items - 1), do: send(downloader, "Requested #{i}")
    send(downloader, :stop)

    receive do
      {:wrote, count} -> Lab.ensure("written strings", count, items)
      {:wrong, text} -> raise Lab.Failure, "the last stage wrote \"#{text}\""
    end

    Lab.now() - start
  end

  defp stage(word, by, next) do
    receive do
      :stop ->
        send(next, :stop)

      text ->
        send(next, String.replace(text, word, by, global: false))
        stage(word, by, next)
    end
  end

  defp write(parent, count) do
    receive do
      :stop ->
        send(parent, {:wrote, count})

      text ->
        wrote = String.replace(text, "Indexed", "Wrote", global: false)

        if wrote == "Wrote #{count}",
          do: write(parent, count + 1),
          else: send(parent, {:wrong, wrote})
    end
  end
end

defmodule Lab do
  @moduledoc "The entry of all programs: reads the arguments, runs one experiment, prints its metrics."

  defmodule Failure do
    @moduledoc "The result of a program is wrong."
    defexception [:message]
  end

  @experiments %{
    "spawn" => Lab.Spawn,
    "tasks" => Lab.Tasks,
    "ring" => Lab.Ring,
    "pipeline" => Lab.Pipeline,
    "pingpong" => Lab.Pingpong,
    "fanin" => Lab.Fanin,
    "skynet" => Lab.Skynet,
    "startup" => Lab.Startup
  }

  def main([name | words]) when is_map_key(@experiments, name) do
    metrics = Map.new(words, &pair/1) |> @experiments[name].run()
    fields = Enum.map_join(metrics, ",", fn {metric, value} -> ~s("#{metric}":#{value}) end)
    version = "Elixir #{System.version()}, Erlang/OTP #{System.otp_release()}"
    IO.puts(~s({"metrics":{#{fields}},"runtime_version":"#{version}"}))
    System.halt(0)
  rescue
    error in ArgumentError -> leave(2, error)
    error in Failure -> leave(1, error)
  end

  def main(words) do
    experiments = Enum.join(Map.keys(@experiments), ", ")

    leave(2, %ArgumentError{
      message: "\"#{List.first(words)}\" is none of the experiments #{experiments}"
    })
  end

  defp leave(code, error) do
    IO.puts(:stderr, Exception.message(error) <> ".")
    System.halt(code)
  end

  defp pair(word) do
    case String.split(word, "=", parts: 2) do
      [name, value] -> {name, value}
      _ -> raise ArgumentError, "\"#{word}\" is not of the form name=value"
    end
  end

  @doc "A whole number of at least 1, with or without the \"ms\" of a duration."
  def count(args, name, preset) do
    text = Map.get(args, name, "#{preset}")

    case Integer.parse(text) do
      {n, rest} when n >= 1 and rest in ["", "ms"] -> n
      _ -> raise ArgumentError, "#{name}=#{text} is not a whole number of at least 1"
    end
  end

  @doc "Ends the program if a count is not what it must be."
  def ensure(_what, expected, expected), do: :ok

  def ensure(what, actual, expected),
    do: raise(Failure, "#{what}: #{actual} instead of #{expected}")

  def now, do: System.monotonic_time(:nanosecond)

  def median(values), do: values |> Enum.sort() |> Enum.at(div(length(values), 2))

  @doc """
  Runs once, then at least three times and for at least three seconds, and gives the first time and
  the median of the others. Each run is in a process of its own, so that it begins with an empty
  heap and an empty mailbox.
  """
  def repeat(run) do
    cold = apart(run)
    {cold, median(more(run, [], now() + 3_000_000_000))}
  end

  defp more(run, done, enough) do
    if length(done) >= 3 and now() >= enough,
      do: done,
      else: more(run, [apart(run) | done], enough)
  end

  @doc "Runs a function in a process of its own and gives its result."
  def apart(run) do
    {pid, monitor} =
      spawn_monitor(fn ->
        result =
          try do
            {:ok, run.()}
          rescue
            error -> {:error, error}
          end

        exit({:result, result})
      end)

    receive do
      {:DOWN, ^monitor, :process, ^pid, {:result, {:ok, result}}} -> result
      {:DOWN, ^monitor, :process, ^pid, {:result, {:error, error}}} -> raise error
      {:DOWN, ^monitor, :process, ^pid, why} -> raise Failure, "a run crashed: #{inspect(why)}"
    end
  end

  @doc "The bytes that this operating-system process has resident; 0 where nobody tells."
  def resident do
    with {:ok, status} <- File.read("/proc/self/status"),
         [_, kb] <- Regex.run(~r/VmRSS:\s*(\d+)/, status) do
      String.to_integer(kb) * 1024
    else
      _ -> 0
    end
  end
end

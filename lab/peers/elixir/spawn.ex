defmodule Lab.Spawn do
  @moduledoc "Many processes are created, wait, and are ended, round after round."

  @waiting 1
  @ended 2

  def run(args) do
    n = Lab.count(args, "processes", 100_000)

    body =
      case Map.get(args, "busy", "false") do
        "false" -> &wait/3
        "true" -> &spin/3
        text -> raise ArgumentError, "busy=#{text} is neither true nor false"
      end

    kind = Map.get(args, "kind", "plain")

    spawner =
      case kind do
        "plain" -> &spawn/1
        "linked" -> &spawn_link/1
        "monitored" -> &elem(spawn_monitor(&1), 0)
        _ -> raise ArgumentError, "kind=#{kind} is not plain, linked or monitored"
      end

    waits = args["busy"] != "true"
    bound = kind != "plain"
    round = fn observe -> Lab.apart(fn -> round(n, body, spawner, waits, bound, observe) end) end

    rss = Lab.resident()
    cold = round.(fn -> Lab.resident() - rss end)
    warm = warm(round, [], Lab.now() + 1_000_000_000)
    used = used()
    memory = round.(fn -> used() - used end)
    rounds = length(warm) + 2

    [
      ns_per_spawn: Lab.median(Enum.map(warm, & &1.created)) / n,
      bytes_per_process: memory.observed / n,
      rss_bytes_per_process: cold.observed / n,
      ns_per_spawn_cold: cold.created / n,
      ns_per_end: Lab.median(Enum.map(warm, & &1.ended)) / n,
      rounds: rounds,
      ended: rounds * n
    ]
  end

  defp warm(round, done, enough) do
    rounds = length(done)

    if rounds >= 101 or (rounds >= 5 and Lab.now() >= enough),
      do: done,
      else: warm(round, [round.(fn -> 0 end) | done], enough)
  end

  # Whoever is the last to begin to wait, or to end, tells the parent. Bound to the parent by link or
  # monitor, it hears of each end besides.
  defp round(n, body, spawner, waits, bound, observe) do
    Process.flag(:trap_exit, true)
    parent = self()
    counts = :atomics.new(2, [])

    start = Lab.now()
    pids = for _ <- 1..n, do: spawner.(fn -> body.(parent, counts, n) end)

    if waits do
      receive do
        :all_wait -> :ok
      end
    end

    created = Lab.now() - start
    observed = observe.()

    start = Lab.now()
    Enum.each(pids, &send(&1, :stop))

    receive do
      :all_ended -> :ok
    end

    if bound, do: hear(n)
    ended = Lab.now() - start
    Lab.ensure("processes that ended", :atomics.get(counts, @ended), n)
    %{created: created, ended: ended, observed: observed}
  end

  defp hear(0), do: :ok

  defp hear(n) do
    receive do
      {:EXIT, _, :normal} -> hear(n - 1)
      {:DOWN, _, :process, _, :normal} -> hear(n - 1)
    end
  end

  defp wait(parent, counts, n) do
    count(@waiting, :all_wait, parent, counts, n)

    receive do
      :stop -> count(@ended, :all_ended, parent, counts, n)
    end
  end

  defp spin(parent, counts, n) do
    receive do
      :stop -> count(@ended, :all_ended, parent, counts, n)
    after
      0 -> spin(parent, counts, n)
    end
  end

  defp count(what, news, parent, counts, n) do
    if :atomics.add_get(counts, what, 1) == n, do: send(parent, news)
  end

  defp used do
    :erlang.garbage_collect()
    :erlang.memory(:total)
  end
end

defmodule Lab.Ring do
  @moduledoc "One token round a ring of processes; each counts what it gets."

  def run(args) do
    n = Lab.count(args, "processes", 3000)
    rounds = Lab.count(args, "rounds", 1000)
    few = max(1, div(rounds, 10))
    {cold_setup, cold_run} = Lab.apart(fn -> ring(n, few) end)
    {setup, run} = Lab.apart(fn -> ring(n, rounds) end)

    [
      us_per_spawn: setup / 1.0e3 / n,
      ns_per_message: run / (n * rounds),
      messages: n * rounds,
      setup_seconds: setup / 1.0e9,
      run_seconds: run / 1.0e9,
      us_per_spawn_cold: cold_setup / 1.0e3 / n,
      ns_per_message_cold: cold_run / (n * few)
    ]
  end

  # The last process is the first to be spawned, and is told who comes after it.
  defp ring(n, rounds) do
    parent = self()
    start = Lab.now()
    last = spawn(fn -> last(parent, rounds) end)

    first = Enum.reduce(2..n//1, last, fn _, next -> spawn(fn -> member(next, parent, 0) end) end)

    send(last, {:next, first})
    ready = Lab.now()

    send(first, :token)

    receive do
      :ran_all_rounds -> :ok
    end

    finish = Lab.now()
    send(first, :stop)

    counts =
      for _ <- 1..n do
        receive do
          {:counted, count} -> count
        end
      end

    Lab.ensure("delivered messages", Enum.sum(counts), n * rounds)
    {ready - start, finish - ready}
  end

  defp member(next, parent, count) do
    receive do
      :token ->
        send(next, :token)
        member(next, parent, count + 1)

      :stop ->
        send(parent, {:counted, count})
        send(next, :stop)
    end
  end

  defp last(parent, rounds) do
    receive do
      {:next, next} -> last(next, parent, rounds, 0)
    end
  end

  defp last(next, parent, rounds, count) do
    receive do
      :token ->
        if count + 1 == rounds, do: send(parent, :ran_all_rounds), else: send(next, :token)
        last(next, parent, rounds, count + 1)

      :stop ->
        send(parent, {:counted, count})
    end
  end
end

defmodule Lab.Pingpong do
  @moduledoc "Two processes send a counter to and fro."

  def run(args) do
    rounds = Lab.count(args, "rounds", 1_000_000)
    {cold, warm} = Lab.repeat(fn -> pingpong(rounds) end)
    [ns_per_round: warm / rounds, ns_per_round_cold: cold / rounds, messages: 2 * rounds]
  end

  defp pingpong(rounds) do
    parent = self()
    pong = spawn(fn -> pong(0) end)
    start = Lab.now()
    spawn(fn -> send(parent, {:pongs, ping(pong, rounds, 0)}) end)

    receive do
      {:pongs, pongs} -> Lab.ensure("pongs", pongs, rounds)
    end

    wall = Lab.now() - start
    send(pong, {:stop, parent})

    receive do
      {:pings, pings} -> Lab.ensure("pings", pings, rounds)
    end

    wall
  end

  defp ping(_pong, rounds, rounds), do: rounds

  defp ping(pong, rounds, i) do
    send(pong, {:ping, self(), i})

    receive do
      {:pong, ^i} -> ping(pong, rounds, i + 1)
    end
  end

  defp pong(count) do
    receive do
      {:ping, from, i} ->
        send(from, {:pong, i})
        pong(count + 1)

      {:stop, from} ->
        send(from, {:pings, count})
    end
  end
end

defmodule Lab.Fanin do
  @moduledoc "Many processes send to one, which counts and sums."

  def run(args) do
    senders = Lab.count(args, "senders", 1000)
    each = Lab.count(args, "messages", 1000)
    {cold, warm} = Lab.repeat(fn -> fanin(senders, each) end)
    messages = senders * each

    [
      messages_per_second: messages * 1.0e9 / warm,
      messages_per_second_cold: messages * 1.0e9 / cold,
      messages: messages
    ]
  end

  defp fanin(senders, each) do
    parent = self()
    receiver = spawn(fn -> send(parent, {:received, receive_all(senders * each, 0)}) end)
    pids = for _ <- 1..senders, do: spawn(fn -> wait_and_send(receiver, each) end)

    start = Lab.now()
    Enum.each(pids, &send(&1, :start))

    sum =
      receive do
        {:received, sum} -> sum
      end

    wall = Lab.now() - start
    Lab.ensure("the sum", sum, senders * div(each * (each - 1), 2))
    wall
  end

  defp wait_and_send(receiver, each) do
    receive do
      :start -> for i <- 0..(each - 1), do: send(receiver, {:number, i})
    end
  end

  defp receive_all(0, sum), do: sum

  defp receive_all(left, sum) do
    receive do
      {:number, i} -> receive_all(left - 1, sum + i)
    end
  end
end

defmodule Lab.Skynet do
  @moduledoc "A tree of processes, ten children each; a leaf reports its number, the others a sum."

  def run(args) do
    leaves = Lab.count(args, "leaves", 1_000_000)

    unless power_of_ten?(leaves),
      do: raise(ArgumentError, "leaves=#{leaves} is not a power of ten")

    {cold, warm} = Lab.repeat(fn -> skynet(leaves) end)
    [ms: warm / 1.0e6, ms_cold: cold / 1.0e6, sum: div(leaves * (leaves - 1), 2)]
  end

  defp power_of_ten?(1), do: true
  defp power_of_ten?(n), do: rem(n, 10) == 0 and power_of_ten?(div(n, 10))

  defp skynet(leaves) do
    parent = self()
    start = Lab.now()
    spawn(fn -> node(parent, 0, leaves) end)
    sum = sum(1, 0)
    wall = Lab.now() - start
    Lab.ensure("the sum of the leaves", sum, div(leaves * (leaves - 1), 2))
    wall
  end

  defp node(parent, number, 1), do: send(parent, {:sum, number})

  defp node(parent, number, leaves) do
    self = self()
    each = div(leaves, 10)
    for i <- 0..9, do: spawn(fn -> node(self, number + i * each, each) end)
    send(parent, {:sum, sum(10, 0)})
  end

  defp sum(0, sum), do: sum

  defp sum(left, sum) do
    receive do
      {:sum, part} -> sum(left - 1, sum + part)
    end
  end
end

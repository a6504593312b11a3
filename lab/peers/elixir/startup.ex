defmodule Lab.Startup do
  @moduledoc "The smallest program: one process answers one question."

  def run(_args) do
    pid =
      spawn(fn ->
        receive do
          {:question, from, n} -> send(from, {:answer, n + 1})
        end
      end)

    send(pid, {:question, self(), 41})

    receive do
      {:answer, answer} -> Lab.ensure("the answer", answer, 42)
    end

    [answers: 1]
  end
end

defmodule Lab.Tasks do
  @moduledoc "Many tasks wait at the same time; the program ends when all have."

  def run(args) do
    n = Lab.count(args, "tasks", 1_000_000)
    wait = Lab.count(args, "wait", 10_000)

    start = Lab.now()
    tasks = for _ <- 1..n, do: Task.async(fn -> Process.sleep(wait) end)
    started = Lab.now() - start
    completed = tasks |> Task.await_many(:infinity) |> Enum.count(&(&1 == :ok))
    wall = Lab.now() - start

    Lab.ensure("completed tasks", completed, n)
    [wall_seconds: wall / 1.0e9, start_seconds: started / 1.0e9, completed: completed]
  end
end

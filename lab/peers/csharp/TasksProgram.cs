using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace Selvage.Lab.Peer
{
    /// <summary>Many tasks wait at the same time; the program ends when all have.</summary>
    public static class TasksProgram
    {
        public static async Task<Metrics> RunAsync(Arguments args)
        {
            var n = args.Count("tasks", 1_000_000);
            // A timer of .NET counts whole milliseconds of a coarse clock and may fire a little early.
            var wait = args.Count("wait", 10_000) + 1;

            var start = Measure.Now;
            var running = new List<Task>(n);
            for (var i = 0; i < n; i++)
            {
                running.Add(Task.Run(() => Task.Delay(wait)));
            }
            var started = Measure.SecondsSince(start);
            await Task.WhenAll(running);
            var wall = Measure.SecondsSince(start);

            var completed = running.Count(task => task.Status == TaskStatus.RanToCompletion);
            Measure.Ensure("completed tasks", completed, n);
            return new Metrics()
                .With("wall_seconds", wall)
                .With("start_seconds", started)
                .With("completed", completed);
        }
    }
}

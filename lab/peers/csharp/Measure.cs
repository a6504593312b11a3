using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Selvage.Lab.Peer
{
    /// <summary>The watch.</summary>
    public static class Measure
    {
        public static long Now => Stopwatch.GetTimestamp();

        public static double SecondsSince(long start) =>
            (Stopwatch.GetTimestamp() - start) / (double)Stopwatch.Frequency;

        public static double Median(IReadOnlyCollection<double> values) =>
            values.OrderBy(value => value).ElementAt(values.Count / 2);

        public static void Ensure(string what, long actual, long expected)
        {
            if (actual != expected)
            {
                throw new WrongResultException($"{what}: {actual} instead of {expected}");
            }
        }

        /// <summary>
        /// Runs once, then for two seconds while the compiler is at work, then at least three times
        /// and for at least three seconds; gives the first time and the median of the last ones, in
        /// seconds.
        /// </summary>
        public static async Task<(double Cold, double Warm)> RepeatAsync(Func<Task<double>> run)
        {
            var start = Now;
            var cold = await run();
            while (SecondsSince(start) < 2)
            {
                await run();
            }
            var warm = new List<double>();
            for (var begin = Now; warm.Count < 3 || SecondsSince(begin) < 3;)
            {
                warm.Add(await run());
            }
            return (cold, Median(warm));
        }

        /// <summary>The bytes that this process has resident; 0 where nobody tells.</summary>
        public static long Resident()
        {
            try
            {
                var line = File.ReadLines("/proc/self/status")
                    .First(text => text.StartsWith("VmRSS:", StringComparison.Ordinal));
                return 1024 * long.Parse(new string(line.Where(char.IsDigit).ToArray()));
            }
            catch (IOException)
            {
                return 0;
            }
        }

        /// <summary>The bytes of the heap that are in use after a collection.</summary>
        public static long HeapInUse()
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return GC.GetTotalMemory(true);
        }
    }

    /// <summary>Tells when as many have arrived as were expected.</summary>
    public sealed class Gathering
    {
        private readonly TaskCompletionSource<bool> complete =
            new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        private int missing;

        public Gathering(int n)
        {
            missing = n;
        }

        public Task Complete => complete.Task;

        public void Arrive()
        {
            if (Interlocked.Decrement(ref missing) == 0)
            {
                complete.SetResult(true);
            }
        }
    }
}

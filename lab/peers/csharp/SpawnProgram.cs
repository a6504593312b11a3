using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace Selvage.Lab.Peer
{
    /// <summary>Many tasks that each wait for one message in a channel of their own.</summary>
    internal sealed class Crowd
    {
        private readonly bool busy;
        private readonly Gathering waiting;
        private readonly Channel<bool>[] mailboxes;
        private readonly Task[] tasks;
        private volatile bool spinning = true;
        private int ended;

        public Crowd(int n, bool busy)
        {
            this.busy = busy;
            waiting = new Gathering(n);
            mailboxes = new Channel<bool>[busy ? 0 : n];
            tasks = new Task[n];
        }

        /// <summary>Completes when every task waits, or was started to spin.</summary>
        public async Task CreateAsync()
        {
            for (var i = 0; i < tasks.Length; i++)
            {
                if (busy)
                {
                    tasks[i] = Task.Run(() => Spin());
                }
                else
                {
                    var mailbox = Channel.CreateUnbounded<bool>();
                    mailboxes[i] = mailbox;
                    tasks[i] = Task.Run(() => WaitAsync(mailbox.Reader));
                }
            }
            if (!busy)
            {
                await waiting.Complete;
            }
        }

        /// <summary>Gives how many tasks ended, when all have.</summary>
        public async Task<int> EndAsync()
        {
            spinning = false;
            foreach (var mailbox in mailboxes)
            {
                mailbox.Writer.TryWrite(true);
            }
            await Task.WhenAll(tasks);
            return ended;
        }

        private async Task WaitAsync(ChannelReader<bool> mailbox)
        {
            waiting.Arrive();
            await mailbox.ReadAsync();
            Interlocked.Increment(ref ended);
        }

        private void Spin()
        {
            while (spinning)
            {
                Thread.SpinWait(1);
            }
            Interlocked.Increment(ref ended);
        }
    }

    /// <summary>What one round of creating and ending tasks gave, in seconds and bytes.</summary>
    internal sealed class Round
    {
        public double Created { get; private set; }

        public double Ended { get; private set; }

        public long Observed { get; private set; }

        public static async Task<Round> RunAsync(int n, bool busy, Func<long> observe)
        {
            var round = new Round();
            var crowd = new Crowd(n, busy);
            var start = Measure.Now;
            await crowd.CreateAsync();
            round.Created = Measure.SecondsSince(start);
            round.Observed = observe();
            start = Measure.Now;
            var ended = await crowd.EndAsync();
            round.Ended = Measure.SecondsSince(start);
            Measure.Ensure("tasks that ended", ended, n);
            return round;
        }
    }

    public static class SpawnProgram
    {
        public static async Task<Metrics> RunAsync(Arguments args)
        {
            var n = args.Count("processes", 100_000);
            var busy = args.Flag("busy");
            var kind = args.Text("kind", "plain");
            if (kind != "plain")
            {
                throw new BadArgumentException(
                    $"tasks have no links and no monitors, so there is no kind={kind}");
            }
            var resident = Measure.Resident();
            var cold = await Round.RunAsync(n, busy, () => Measure.Resident() - resident);
            var creates = new List<double>();
            var ends = new List<double>();
            for (var begin = Measure.Now;
                creates.Count < 5 || (creates.Count < 101 && Measure.SecondsSince(begin) < 1);)
            {
                GC.Collect();
                var warm = await Round.RunAsync(n, busy, () => 0);
                creates.Add(warm.Created);
                ends.Add(warm.Ended);
            }
            var heap = Measure.HeapInUse();
            var memory = await Round.RunAsync(n, busy, () => Measure.HeapInUse() - heap);

            var rounds = creates.Count + 2;
            return new Metrics()
                .With("ns_per_spawn", Measure.Median(creates) * 1e9 / n)
                .With("bytes_per_process", (double)memory.Observed / n)
                .With("rss_bytes_per_process", (double)cold.Observed / n)
                .With("ns_per_spawn_cold", cold.Created * 1e9 / n)
                .With("ns_per_end", Measure.Median(ends) * 1e9 / n)
                .With("rounds", rounds)
                .With("ended", (double)rounds * n);
        }
    }
}

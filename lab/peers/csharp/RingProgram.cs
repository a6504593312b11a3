using System;
using System.Linq;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace Selvage.Lab.Peer
{
    /// <summary>One token round a ring of tasks; each counts what it gets.</summary>
    public static class RingProgram
    {
        private enum Lap
        {
            Token,
            Stop,
        }

        private static async Task<long> MemberAsync(ChannelReader<Lap> inbox, ChannelWriter<Lap> next)
        {
            long count = 0;
            while (await inbox.ReadAsync() == Lap.Token)
            {
                count++;
                next.TryWrite(Lap.Token);
            }
            next.TryWrite(Lap.Stop);
            return count;
        }

        private static async Task<long> LastMemberAsync(
            ChannelReader<Lap> inbox, ChannelWriter<Lap> first, int rounds, Gathering ranAllRounds)
        {
            long count = 0;
            while (await inbox.ReadAsync() == Lap.Token)
            {
                count++;
                if (count == rounds)
                {
                    ranAllRounds.Arrive();
                }
                else
                {
                    first.TryWrite(Lap.Token);
                }
            }
            return count;
        }

        private static async Task<(double Setup, double Run)> RunRingAsync(int processes, int rounds)
        {
            var ranAllRounds = new Gathering(1);
            var members = new Task<long>[processes];

            var start = Measure.Now;
            var first = Channel.CreateUnbounded<Lap>();
            var inbox = first;
            for (var i = 0; i < processes - 1; i++)
            {
                var mine = inbox;
                var next = Channel.CreateUnbounded<Lap>();
                members[i] = Task.Run(() => MemberAsync(mine.Reader, next.Writer));
                inbox = next;
            }
            members[processes - 1] = Task.Run(
                () => LastMemberAsync(inbox.Reader, first.Writer, rounds, ranAllRounds));
            var setup = Measure.SecondsSince(start);

            start = Measure.Now;
            first.Writer.TryWrite(Lap.Token);
            await ranAllRounds.Complete;
            var run = Measure.SecondsSince(start);

            first.Writer.TryWrite(Lap.Stop);
            var counts = await Task.WhenAll(members);
            Measure.Ensure("delivered messages", counts.Sum(), (long)processes * rounds);
            return (setup, run);
        }

        public static async Task<Metrics> RunAsync(Arguments args)
        {
            var processes = args.Count("processes", 3000);
            var rounds = args.Count("rounds", 1000);
            var few = Math.Max(1, rounds / 10);
            var messages = (double)processes * rounds;

            var begin = Measure.Now;
            var cold = await RunRingAsync(processes, few);
            for (var i = 1; i < 3 || Measure.SecondsSince(begin) < 3; i++)
            {
                await RunRingAsync(processes, few);
            }
            GC.Collect();
            var ring = await RunRingAsync(processes, rounds);

            return new Metrics()
                .With("us_per_spawn", ring.Setup * 1e6 / processes)
                .With("ns_per_message", ring.Run * 1e9 / messages)
                .With("messages", messages)
                .With("setup_seconds", ring.Setup)
                .With("run_seconds", ring.Run)
                .With("us_per_spawn_cold", cold.Setup * 1e6 / processes)
                .With("ns_per_message_cold", cold.Run * 1e9 / ((double)processes * few));
        }
    }
}

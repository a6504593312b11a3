using System.Threading.Channels;
using System.Threading.Tasks;

namespace Selvage.Lab.Peer
{
    /// <summary>Two tasks send a counter to and fro.</summary>
    public static class PingpongProgram
    {
        private static async Task<long> PongAsync(ChannelReader<int> pings, ChannelWriter<int> pongs)
        {
            long count = 0;
            for (var i = await pings.ReadAsync(); i >= 0; i = await pings.ReadAsync())
            {
                pongs.TryWrite(i);
                count++;
            }
            return count;
        }

        private static async Task PingAsync(ChannelReader<int> pongs, ChannelWriter<int> pings, int rounds)
        {
            for (var i = 0; i < rounds; i++)
            {
                pings.TryWrite(i);
                if (await pongs.ReadAsync() != i)
                {
                    throw new WrongResultException($"pong {i} did not come");
                }
            }
        }

        private static async Task<double> RunPingpongAsync(int rounds)
        {
            var pings = Channel.CreateUnbounded<int>();
            var pongs = Channel.CreateUnbounded<int>();
            var answering = Task.Run(() => PongAsync(pings.Reader, pongs.Writer));
            var start = Measure.Now;
            await Task.Run(() => PingAsync(pongs.Reader, pings.Writer, rounds));
            var wall = Measure.SecondsSince(start);
            pings.Writer.TryWrite(-1);
            Measure.Ensure("pings", await answering, rounds);
            return wall;
        }

        public static async Task<Metrics> RunAsync(Arguments args)
        {
            var rounds = args.Count("rounds", 1_000_000);
            var times = await Measure.RepeatAsync(() => RunPingpongAsync(rounds));
            return new Metrics()
                .With("ns_per_round", times.Warm * 1e9 / rounds)
                .With("ns_per_round_cold", times.Cold * 1e9 / rounds)
                .With("messages", 2.0 * rounds);
        }
    }
}

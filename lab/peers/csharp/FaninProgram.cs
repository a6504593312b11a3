using System.Threading.Channels;
using System.Threading.Tasks;

namespace Selvage.Lab.Peer
{
    /// <summary>Many tasks send to one, which counts and sums.</summary>
    public static class FaninProgram
    {
        private static async Task SendAsync(Task begin, Gathering ready, ChannelWriter<int> receiver, int each)
        {
            ready.Arrive();
            await begin;
            for (var i = 0; i < each; i++)
            {
                receiver.TryWrite(i);
            }
        }

        private static async Task<long> ReceiveAsync(ChannelReader<int> inbox, long messages)
        {
            long sum = 0;
            for (long i = 0; i < messages; i++)
            {
                sum += await inbox.ReadAsync();
            }
            return sum;
        }

        private static async Task<double> RunFaninAsync(int senders, int each)
        {
            var numbers = Channel.CreateUnbounded<int>();
            var begin = new Gathering(1);
            var ready = new Gathering(senders);
            var tasks = new Task[senders];
            for (var i = 0; i < senders; i++)
            {
                tasks[i] = Task.Run(() => SendAsync(begin.Complete, ready, numbers.Writer, each));
            }
            var receiving = Task.Run(() => ReceiveAsync(numbers.Reader, (long)senders * each));
            await ready.Complete;

            var start = Measure.Now;
            begin.Arrive();
            var sum = await receiving;
            var wall = Measure.SecondsSince(start);
            await Task.WhenAll(tasks);
            Measure.Ensure("the sum", sum, senders * ((long)each * (each - 1) / 2));
            return wall;
        }

        public static async Task<Metrics> RunAsync(Arguments args)
        {
            var senders = args.Count("senders", 1000);
            var each = args.Count("messages", 1000);
            var messages = (double)senders * each;
            var times = await Measure.RepeatAsync(() => RunFaninAsync(senders, each));
            return new Metrics()
                .With("messages_per_second", messages / times.Warm)
                .With("messages_per_second_cold", messages / times.Cold)
                .With("messages", messages);
        }
    }
}

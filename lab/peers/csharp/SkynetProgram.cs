using System.Linq;
using System.Threading.Tasks;

namespace Selvage.Lab.Peer
{
    /// <summary>A tree of tasks, ten children each; a leaf gives its number, the others a sum.</summary>
    public static class SkynetProgram
    {
        private static async Task<long> NodeAsync(long number, int leaves)
        {
            if (leaves == 1)
            {
                return number;
            }
            var each = leaves / 10;
            var children = new Task<long>[10];
            for (var i = 0; i < children.Length; i++)
            {
                var first = number + (long)i * each;
                children[i] = Task.Run(() => NodeAsync(first, each));
            }
            return (await Task.WhenAll(children)).Sum();
        }

        private static async Task<double> RunSkynetAsync(int leaves)
        {
            var start = Measure.Now;
            var sum = await Task.Run(() => NodeAsync(0, leaves));
            var wall = Measure.SecondsSince(start);
            Measure.Ensure("the sum of the leaves", sum, (long)leaves * (leaves - 1) / 2);
            return wall;
        }

        public static async Task<Metrics> RunAsync(Arguments args)
        {
            var leaves = args.Count("leaves", 1_000_000);
            for (var n = leaves; n > 1; n /= 10)
            {
                if (n % 10 != 0)
                {
                    throw new BadArgumentException($"leaves={leaves} is not a power of ten");
                }
            }
            var times = await Measure.RepeatAsync(() => RunSkynetAsync(leaves));
            return new Metrics()
                .With("ms", times.Warm * 1e3)
                .With("ms_cold", times.Cold * 1e3)
                .With("sum", (double)leaves * (leaves - 1) / 2);
        }
    }
}

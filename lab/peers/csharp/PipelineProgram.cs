using System;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace Selvage.Lab.Peer
{
    /// <summary>Strings go through three stages, each of which replaces one word.</summary>
    public static class PipelineProgram
    {
        private static string ReplaceFirst(string text, string word, string by)
        {
            var i = text.IndexOf(word, StringComparison.Ordinal);
            return i < 0 ? text : text.Substring(0, i) + by + text.Substring(i + word.Length);
        }

        /// <summary>Ends with the message null, which it passes on.</summary>
        private static async Task StageAsync(
            ChannelReader<string> inbox, string word, string by, ChannelWriter<string> next)
        {
            string text;
            while ((text = await inbox.ReadAsync()) != null)
            {
                next.TryWrite(ReplaceFirst(text, word, by));
            }
            next.TryWrite(null);
        }

        private static async Task<int> WriterAsync(ChannelReader<string> inbox)
        {
            var count = 0;
            string text;
            while ((text = await inbox.ReadAsync()) != null)
            {
                var wrote = ReplaceFirst(text, "Indexed", "Wrote");
                if (wrote != $"Wrote {count}")
                {
                    throw new WrongResultException($"the last stage wrote \"{wrote}\"");
                }
                count++;
            }
            return count;
        }

        private static async Task<double> RunPipelineAsync(int items)
        {
            var start = Measure.Now;
            var requested = Channel.CreateUnbounded<string>();
            var downloaded = Channel.CreateUnbounded<string>();
            var indexed = Channel.CreateUnbounded<string>();
            var downloader = Task.Run(
                () => StageAsync(requested.Reader, "Requested", "Downloaded", downloaded.Writer));
            var indexer = Task.Run(
                () => StageAsync(downloaded.Reader, "Downloaded", "Indexed", indexed.Writer));
            var writer = Task.Run(() => WriterAsync(indexed.Reader));
            for (var i = 0; i < items; i++)
            {
                requested.Writer.TryWrite($"Requested {i}");
            }
            requested.Writer.TryWrite(null);
            await downloader;
            await indexer;
            var count = await writer;
            var wall = Measure.SecondsSince(start);
            Measure.Ensure("written strings", count, items);
            return wall;
        }

        public static async Task<Metrics> RunAsync(Arguments args)
        {
            var items = args.Count("items", 1_000_000);
            var times = await Measure.RepeatAsync(() => RunPipelineAsync(items));
            return new Metrics()
                .With("wall_seconds", times.Warm)
                .With("wall_seconds_cold", times.Cold)
                .With("completed", items);
        }
    }
}

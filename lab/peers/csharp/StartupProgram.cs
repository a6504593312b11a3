using System.Threading.Channels;
using System.Threading.Tasks;

namespace Selvage.Lab.Peer
{
    /// <summary>The smallest program: one task answers one question.</summary>
    public static class StartupProgram
    {
        private static async Task AnswerAsync(ChannelReader<int> questions, ChannelWriter<int> answers)
        {
            answers.TryWrite(await questions.ReadAsync() + 1);
        }

        public static async Task<Metrics> RunAsync(Arguments args)
        {
            var questions = Channel.CreateUnbounded<int>();
            var answers = Channel.CreateUnbounded<int>();
            var answering = Task.Run(() => AnswerAsync(questions.Reader, answers.Writer));
            questions.Writer.TryWrite(41);
            Measure.Ensure("the answer", await answers.Reader.ReadAsync(), 42);
            await answering;
            return new Metrics().With("answers", 1);
        }
    }
}

// The programs of the lab in C#: tasks of the thread pool and channels.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading.Tasks;

namespace Selvage.Lab.Peer
{
    /// <summary>A program was asked for what cannot be done.</summary>
    public sealed class BadArgumentException : Exception
    {
        public BadArgumentException(string message) : base(message) { }
    }

    /// <summary>The result of a program is wrong.</summary>
    public sealed class WrongResultException : Exception
    {
        public WrongResultException(string message) : base(message) { }
    }

    public static class Program
    {
        private static readonly Dictionary<string, Func<Arguments, Task<Metrics>>> Experiments =
            new Dictionary<string, Func<Arguments, Task<Metrics>>>
            {
                ["spawn"] = SpawnProgram.RunAsync,
                ["tasks"] = TasksProgram.RunAsync,
                ["ring"] = RingProgram.RunAsync,
                ["pipeline"] = PipelineProgram.RunAsync,
                ["pingpong"] = PingpongProgram.RunAsync,
                ["fanin"] = FaninProgram.RunAsync,
                ["skynet"] = SkynetProgram.RunAsync,
                ["startup"] = StartupProgram.RunAsync,
            };

        public static async Task<int> Main(string[] args)
        {
            try
            {
                if (args.Length == 0 || !Experiments.TryGetValue(args[0], out var experiment))
                {
                    throw new BadArgumentException(
                        "say which experiment to run: " + string.Join(", ", Experiments.Keys));
                }
                var metrics = await experiment(new Arguments(args.Skip(1)));
                Console.WriteLine(
                    "{\"metrics\":{" + metrics + "},\"runtime_version\":\""
                        + RuntimeInformation.FrameworkDescription + "\"}");
                return 0;
            }
            catch (BadArgumentException e)
            {
                Console.Error.WriteLine(e.Message + ".");
                return 2;
            }
            catch (WrongResultException e)
            {
                Console.Error.WriteLine(e.Message + ".");
                return 1;
            }
        }
    }

    /// <summary>The arguments of an experiment: name=value.</summary>
    public sealed class Arguments
    {
        private readonly Dictionary<string, string> values = new Dictionary<string, string>();

        public Arguments(IEnumerable<string> words)
        {
            foreach (var word in words)
            {
                var equals = word.IndexOf('=');
                if (equals < 0)
                {
                    throw new BadArgumentException($"\"{word}\" is not of the form name=value");
                }
                values[word.Substring(0, equals)] = word.Substring(equals + 1);
            }
        }

        public string Text(string name, string preset) =>
            values.TryGetValue(name, out var text) ? text : preset;

        /// <summary>A whole number of at least 1, with or without the "ms" of a duration.</summary>
        public int Count(string name, int preset)
        {
            var text = Text(name, preset.ToString(CultureInfo.InvariantCulture));
            var digits = text.EndsWith("ms", StringComparison.Ordinal)
                ? text.Substring(0, text.Length - 2)
                : text;
            return int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var n) && n >= 1
                ? n
                : throw new BadArgumentException($"{name}={text} is not a whole number of at least 1");
        }

        public bool Flag(string name)
        {
            var text = Text(name, "false");
            switch (text)
            {
                case "true":
                    return true;
                case "false":
                    return false;
                default:
                    throw new BadArgumentException($"{name}={text} is neither true nor false");
            }
        }
    }

    /// <summary>What was measured and counted.</summary>
    public sealed class Metrics
    {
        private readonly List<string> fields = new List<string>();

        public Metrics With(string name, double value)
        {
            fields.Add("\"" + name + "\":" + value.ToString("R", CultureInfo.InvariantCulture));
            return this;
        }

        public override string ToString() => string.Join(",", fields);
    }
}

package io.selvage.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Erlang in an operating system process: a line asks it for so many calls, a line says "done". */
final class ErlangPeer implements LayersPeersBenchmark.Peer {
  private static final String MODULE = "selvage_layers";

  private final String what;
  private final Process erl;
  private final BufferedWriter to;
  private final BufferedReader from;

  private ErlangPeer(String what, Process erl) {
    this.what = what;
    this.erl = erl;
    this.to = erl.outputWriter(US_ASCII);
    this.from = erl.inputReader(US_ASCII);
  }

  static ErlangPeer start(String what) throws IOException, InterruptedException {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    for (String folder : path.split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(folder, "erl"))) {
        return new ErlangPeer(what, startErl());
      }
    }
    throw new IllegalStateException(
        "there is no erl on the PATH, so Erlang is left out: install it, for example by sudo"
            + " apt-get install erlang-base");
  }

  private static Process startErl() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("selvage-erlang");
    try {
      Path source = folder.resolve(MODULE + ".erl");
      try (InputStream in = ErlangPeer.class.getResourceAsStream(MODULE + ".erl")) {
        Files.copy(Objects.requireNonNull(in), source);
      }
      int compiled =
          new ProcessBuilder("erlc", "-Werror", "-o", folder.toString(), source.toString())
              .inheritIO()
              .start()
              .waitFor();
      if (compiled != 0) {
        throw new IllegalStateException("erlc failed with " + compiled);
      }
      Process erl =
          new ProcessBuilder("erl", "-noshell", "-pa", folder.toString(), "-s", MODULE, "main")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      // The first answer says that the module is loaded, so its files may go.
      new ErlangPeer("bare", erl).ask(1);
      return erl;
    } finally {
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  @Override
  public void ask(int rounds) throws IOException {
    to.write(what + " " + rounds + "\n");
    to.flush();
    String answer = from.readLine();
    if (!"done".equals(answer)) {
      throw new IllegalStateException("Erlang said " + answer + " instead of done");
    }
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    to.close();
    erl.waitFor();
  }
}

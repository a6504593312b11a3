package io.selvage.lab;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file that holds one result a line. It is opened before anything is measured; each line is
 * there as a whole as soon as its run has ended, or not at all.
 */
public final class ResultFile implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;

  /** The length of all whole lines; a pipe cannot be asked for its position. */
  private long end;

  private ResultFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Opens a file for writing. What it held before is gone.
   *
   * @param path the file; its folder must exist
   * @return the open file
   * @throws BadInputException if it cannot be written
   */
  public static ResultFile open(Path path) {
    Path folder = path.toAbsolutePath().getParent();
    if (Files.isDirectory(path)) {
      throw refusal(path, "it is a folder", "name a file in it");
    }
    if (folder != null && !Files.isDirectory(folder)) {
      throw refusal(path, "there is no folder " + folder, "make it, or name another file");
    }
    try {
      return new ResultFile(
          path,
          FileChannel.open(
              path,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING));
    } catch (AccessDeniedException e) {
      throw refusal(path, "it must not be written by you", "name another file");
    } catch (NoSuchFileException e) {
      throw refusal(path, "it cannot be made there", "name another file");
    } catch (IOException e) {
      throw refusal(path, String.valueOf(e.getMessage()), "name another file");
    }
  }

  /**
   * Adds a line.
   *
   * @param result what it holds
   * @throws IOException if it could not be written; then the file ends with the line before it
   */
  public void add(Result result) throws IOException {
    ByteBuffer line = ByteBuffer.wrap((result.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      while (line.hasRemaining()) {
        channel.write(line);
      }
      end += line.limit();
    } catch (IOException e) {
      try {
        channel.truncate(end);
      } catch (IOException alsoThis) {
        e.addSuppressed(alsoThis);
      }
      throw new IOException(
          "the results cannot be written to " + path + " any more: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static BadInputException refusal(Path path, String cause, String cure) {
    return new BadInputException(
        "--json " + path + " cannot be written: " + cause + "; " + cure + ".");
  }
}

package io.selvage.lab.report;

import io.selvage.lab.BadInputException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder that a report is written to. It is looked at, and made if need be, before anything is
 * measured; the page is there as a whole or not at all.
 */
public final class ReportFolder {
  private static final String PAGE = "index.html";

  /** The mark of a page is in its head. */
  private static final int HEAD_BYTES = 4096;

  private final Path folder;

  private ReportFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes a folder, or takes one that is empty or holds an earlier report and nothing else.
   *
   * @param option the option that names it, for complaints
   * @param folder the folder
   * @return ready to be written to
   * @throws BadInputException if something else is there, or it cannot be written to
   */
  public static ReportFolder open(String option, Path folder) {
    String named = option + " " + folder;
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new BadInputException(
          named + " is a file, and a report needs a folder: name another one.");
    }
    Path above = folder.toAbsolutePath();
    while (above != null && !Files.exists(above)) {
      above = above.getParent();
    }
    if (above != null && !Files.isDirectory(above)) {
      throw unwritable(named, above + " is a file");
    }
    try {
      Files.createDirectories(folder);
      ensureNothingElse(named, folder);
      // A folder that lets nobody write would be found out only after everything was measured.
      Files.delete(Files.createTempFile(folder, "index", ".new"));
    } catch (AccessDeniedException e) {
      throw unwritable(named, "it must not be written by you");
    } catch (FileSystemException e) {
      throw unwritable(named, e.getReason() == null ? e.getMessage() : e.getReason());
    } catch (IOException e) {
      throw unwritable(named, e.getMessage());
    }
    return new ReportFolder(folder);
  }

  private static BadInputException unwritable(String named, @Nullable String cause) {
    return new BadInputException(
        named + " cannot be written to: " + cause + "; name another folder.");
  }

  private static void ensureNothingElse(String named, Path folder) throws IOException {
    List<String> names;
    try (Stream<Path> files = Files.list(folder)) {
      names = files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
    if (names.isEmpty()) {
      return;
    }
    if (!names.equals(List.of(PAGE))) {
      throw new BadInputException(
          named
              + " holds "
              + (names.getFirst().equals(PAGE) ? names.get(1) : names.getFirst())
              + " and may not be a report's: name a new folder, or an empty one.");
    }
    if (!isReport(folder.resolve(PAGE))) {
      throw new BadInputException(
          named
              + " holds an "
              + PAGE
              + " that is not a report of the lab: name a new folder, or an empty one.");
    }
  }

  private static boolean isReport(Path page) throws IOException {
    try (InputStream stream = Files.newInputStream(page)) {
      return new String(stream.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8).contains(Page.MARK);
    }
  }

  /**
   * Writes the page; an earlier one is replaced.
   *
   * @param html the page
   * @return where it is
   * @throws IOException if it could not be written; then an earlier one is still there
   */
  public Path write(String html) throws IOException {
    Path page = folder.resolve(PAGE);
    Path whole = folder.resolve(PAGE + ".new");
    try {
      Files.createDirectories(folder); // somebody may have tidied up meanwhile
      Files.writeString(whole, html);
      return Files.move(whole, page, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      try {
        Files.deleteIfExists(whole);
      } catch (IOException alsoThis) {
        e.addSuppressed(alsoThis);
      }
      String cause =
          e instanceof FileSystemException told && told.getReason() != null
              ? told.getReason()
              : String.valueOf(e.getMessage());
      throw new IOException("the report cannot be written to " + page + ": " + cause, e);
    }
  }
}

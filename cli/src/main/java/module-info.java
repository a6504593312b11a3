import org.jspecify.annotations.NullMarked;

/** The command {@code selvage}. */
@NullMarked
module io.selvage.cli {
  requires info.picocli;
  requires io.selvage.lab;
  requires static org.jspecify;

  // picocli fills the fields of commands by reflection.
  opens io.selvage.cli to
      info.picocli;
}

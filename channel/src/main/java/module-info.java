/**
 * Channels: queues owned by nobody, between processes and threads of any kind. Start with {@link
 * io.selvage.channel.Channel}.
 */
@org.jspecify.annotations.NullMarked
module io.selvage.channel {
  requires transitive io.selvage.kernel;
  requires static transitive org.jspecify;

  exports io.selvage.channel;
}

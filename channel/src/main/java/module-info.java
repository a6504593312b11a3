/**
 * Channels: queues owned by nobody, between processes and threads of any kind. Start with {@link
 * io.selvage.channel.Channel}. Stages, which hand items on as they are asked for, are in {@link
 * io.selvage.channel.stage}.
 */
@org.jspecify.annotations.NullMarked
module io.selvage.channel {
  requires transitive io.selvage.kernel;
  requires static transitive org.jspecify;

  exports io.selvage.channel;
  exports io.selvage.channel.stage;
}

package io.selvage.peers.jetlang;

import io.selvage.peers.Arrivals;
import io.selvage.peers.Programs;
import io.selvage.peers.Tally;
import org.jetlang.channels.Channel;
import org.jetlang.channels.MemoryChannel;
import org.jetlang.fibers.Fiber;

/** Fibers that each wait for a message in a channel of their own; a first command tells it runs. */
final class Spawn implements Programs.Crowd {
  private enum Msg {
    STOP
  }

  private final int processes;
  private final Channel<Msg>[] channels;
  private final Arrivals arrivals;
  private final Tally ended = new Tally();

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of channels cannot be made otherwise
  private Spawn(int processes, Arrivals arrivals) {
    this.processes = processes;
    this.arrivals = arrivals;
    this.channels = new Channel[processes];
  }

  static Programs.Crowd open(int processes, String kind, Arrivals arrivals) {
    return new Spawn(processes, arrivals);
  }

  @Override
  public void create() {
    for (int i = 0; i < processes; i++) {
      Fiber fiber = Fibers.started();
      Channel<Msg> channel = new MemoryChannel<>();
      channel.subscribe(
          fiber,
          stop -> {
            fiber.dispose();
            ended.increment();
          });
      fiber.execute(arrivals::arrive);
      channels[i] = channel;
    }
    arrivals.await(processes);
  }

  @Override
  public long end() {
    for (int i = 0; i < processes; i++) {
      channels[i].publish(Msg.STOP);
      channels[i] = null;
    }
    return ended.await(processes);
  }
}

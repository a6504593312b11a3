package io.selvage.peers.vertx;

import io.selvage.peers.Programs;
import io.selvage.peers.Tally;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** Verticles that each wait for a message at an address of their own. */
final class Spawn implements Programs.Crowd {
  private static final Integer STOP = 0;

  private final int processes;
  private final String[] addresses;
  private final Tally waiting = new Tally();
  private final Tally ended = new Tally();

  private Spawn(int processes) {
    this.processes = processes;
    this.addresses = new String[processes];
  }

  static Programs.Crowd open(int processes, String kind) {
    return new Spawn(processes);
  }

  private final class Process extends VerticleBase {
    private final String address;

    Process(String address) {
      this.address = address;
    }

    @Override
    public Future<?> start() {
      return vertx
          .eventBus()
          .localConsumer(
              address, stop -> vertx.undeploy(deploymentID()).onSuccess(done -> ended.increment()))
          .completion();
    }
  }

  @Override
  public void create() {
    for (int i = 0; i < processes; i++) {
      addresses[i] = Bus.address();
      Bus.VERTX
          .deployVerticle(new Process(addresses[i]))
          .onSuccess(deployed -> waiting.increment());
    }
    waiting.await(processes);
  }

  @Override
  public long end() {
    for (int i = 0; i < processes; i++) {
      Bus.EVENTS.send(addresses[i], STOP);
      addresses[i] = null;
    }
    return ended.await(processes);
  }
}

package io.selvage.peers.vertx;

import io.selvage.peers.Arrivals;
import io.selvage.peers.Programs;
import io.selvage.peers.Tally;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** Verticles that each wait for a message at an address of their own. */
final class Spawn implements Programs.Crowd {
  private static final Integer STOP = 0;

  private final int processes;
  private final String[] addresses;
  private final Arrivals arrivals;
  private final Tally deployed = new Tally();
  private final Tally ended = new Tally();

  private Spawn(int processes, Arrivals arrivals) {
    this.processes = processes;
    this.arrivals = arrivals;
    this.addresses = new String[processes];
  }

  static Programs.Crowd open(int processes, String kind, Arrivals arrivals) {
    return new Spawn(processes, arrivals);
  }

  private final class Process extends VerticleBase {
    private final String address;

    Process(String address) {
      this.address = address;
    }

    @Override
    public Future<?> start() {
      arrivals.arrive();
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
          .onSuccess(id -> deployed.increment());
    }
    if (!arrivals.areBusy()) {
      deployed.await(processes);
    }
  }

  @Override
  public long end() {
    if (arrivals.areBusy()) {
      deployed.await(processes); // nobody listens at an address before
    }
    for (int i = 0; i < processes; i++) {
      Bus.EVENTS.send(addresses[i], STOP);
      addresses[i] = null;
    }
    return ended.await(processes);
  }
}

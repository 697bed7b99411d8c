package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmPowerCycle;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LostConnectionTest {
    private final Rig rig = new Rig();
    private final AtomicLong seconds = new AtomicLong();
    private final Patience patience = new Patience(() -> Instant.ofEpochSecond(seconds.get()),
            time -> seconds.addAndGet(time.toSeconds()), Duration.ofSeconds(2), Duration.ofMinutes(5), Duration.ofMinutes(3));
    private final Maker maker = new Maker(patience);

    @Test
    void aHostThatIsSilentWhileItRebootsIsWaitedFor() throws Exception {
        rig.host.silentAfterReboot = 60;

        RunRecord run = rig.walk("iommu");

        assertThat(run.state()).isEqualTo(RunRecord.State.DONE);
        assertThat(run.changes().getLast().message()).hasValueSatisfying(m -> assertThat(m).startsWith("back after"));
    }

    @Test
    void aHostThatDoesNotComeBackLeavesTheRunToBeGoneOnWith() throws Exception {
        rig.host.silentAfterReboot = 1_000_000;

        assertThatThrownBy(() -> rig.walk("iommu")).isInstanceOfSatisfying(TroubleException.class,
                e -> assertThat(e.trouble().kind().unreachable()).isTrue());

        assertThat(rig.journal.unfinished(Rig.SITE)).singleElement()
                .satisfies(r -> assertThat(r.changes().getLast().state()).isEqualTo(ChangeRecord.State.RUNNING));
        rig.host.silent = 0;
        assertThat(rig.engine().resume(1, Watcher.NONE, new Stop()).state()).isEqualTo(RunRecord.State.DONE);
        assertThat(rig.host.boots).isEqualTo(2);
    }

    @Test
    void aHostThatStillAnswersInItsOldBootIsNotTakenForRebooted() throws Exception {
        rig.host.rebootsOnRequest = false;

        assertThatThrownBy(() -> rig.walk("iommu")).isInstanceOfSatisfying(TroubleException.class,
                e -> assertThat(e.trouble().sentence()).contains("not back after 15 min"));
        assertThat(rig.journal.unfinished(Rig.SITE)).hasSize(1);
    }

    @Test
    void aHostThatIsNotReachedAtTheBeginningLeavesNoOpenRun() throws Exception {
        rig.host.silent = 1_000_000;

        assertThatThrownBy(() -> rig.walk("iommu")).isInstanceOf(TroubleException.class);

        assertThat(rig.journal.unfinished(Rig.SITE)).isEmpty();
    }

    @Test
    void aChangeWhoseAnswerWasLostIsJudgedByWhatIsThere() throws Exception {
        List<String> sent = new ArrayList<>();
        Proxmox deaf = new Deaf(rig.host.proxmox, sent);
        Making making = new VmConfigMaking(new VmConfigChange(FakeHost.NAME, FakeHost.VM,
                new TreeMap<>(Map.of("balloon", Optional.empty())), new TreeMap<>(Map.of("balloon", Optional.of("0"))), ""),
                deaf);

        assertThat(maker.bring(making, Optional.empty())).isInstanceOf(Outcome.Made.class);
        assertThat(sent).as("it was made by the first call").hasSize(1);
        assertThat(rig.host.config).containsEntry("balloon", "0");
    }

    @Test
    void aChangeThatLosesTheConnectionAgainAndAgainIsGivenUpUnjudged() {
        Making cut = new Making() {
            @Override
            public Standing standing(Optional<String> mark) {
                return Standing.BEFORE;
            }

            @Override
            public String make(Optional<String> mark) throws TroubleException {
                throw new TroubleException(new Trouble(Trouble.Kind.CONNECT, "pve1", "connection cut", "Wait."));
            }
        };

        assertThatThrownBy(() -> maker.bring(cut, Optional.empty())).isInstanceOf(TroubleException.class);
    }

    @Test
    void aChangedKeyIsNoLostConnection() throws Exception {
        Making other = new Making() {
            @Override
            public Standing standing(Optional<String> mark) {
                return Standing.BEFORE;
            }

            @Override
            public String make(Optional<String> mark) throws TroubleException {
                throw new TroubleException(new Trouble(Trouble.Kind.TRUST, "pve1", "another host key", "Compare."));
            }
        };

        assertThat(maker.bring(other, Optional.empty())).isEqualTo(new Outcome.Failed("pve1: another host key. Compare."));
    }

    @Test
    void aGuestThatDoesNotShutDownIsNotCutOff() throws Exception {
        rig.host.guestListens = false;
        VmPowerCycleMaking cycle = cycle();

        Outcome outcome = maker.bring(cycle, cycle.mark());

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class,
                f -> assertThat(f.what()).contains("did not shut down within 3 min").contains("nothing was cut off"));
        assertThat(rig.host.vmStarts).isEqualTo(1);
        assertThat(rig.host.vmOn).isTrue();
        assertThat(rig.host.commands).noneMatch(c -> c.endsWith("/stop"));
    }

    @Test
    void aVmThatIsOffIsOnlyStarted() throws Exception {
        rig.host.vmOn = false;
        VmPowerCycleMaking cycle = cycle();

        assertThat(maker.bring(cycle, cycle.mark())).isEqualTo(new Outcome.Made("started"));
        assertThat(rig.host.commands).hasSize(1);
    }

    @Test
    void aVmThatABackupHoldsIsNotTouched() throws Exception {
        rig.host.lock = "backup";

        assertThat(cycle().standing(Optional.empty()))
                .isEqualTo(new Standing.Other("VM 122 is locked (backup)"));
    }

    private VmPowerCycleMaking cycle() {
        return new VmPowerCycleMaking(new VmPowerCycle(FakeHost.NAME, FakeHost.VM, "worker", Duration.ofMinutes(3),
                Duration.ofMinutes(5)), rig.host.proxmox, new Emptying(List.of()), patience);
    }

    @Test
    void withoutAShellTheApiRebootsAndTheUptimeTells() throws Exception {
        rig.host.shell = false;
        HostWays ways = new HostWays(FakeHost.NAME, rig.systems(), patience);
        HostRebootMaking reboot = new HostRebootMaking(new HostReboot(FakeHost.NAME, List.of(),
                Duration.ofMinutes(2), Duration.ofMinutes(15)), ways, new Emptying(List.of()), patience);

        Outcome outcome = maker.bring(reboot, reboot.mark());

        assertThat(outcome).isInstanceOf(Outcome.Made.class);
        assertThat(rig.host.commands).containsExactly("POST nodes/pve1/status");
        assertThat(rig.host.boots).isEqualTo(2);
    }

    /** Does what it is asked, and loses the answer of the first write. */
    private record Deaf(Proxmox real, List<String> sent) implements Proxmox {
        @Override
        public JsonNode get(String path, Map<String, String> query) throws TroubleException, InterruptedException {
            return real.get(path, query);
        }

        @Override
        public Optional<JsonNode> ifThere(String path) throws TroubleException, InterruptedException {
            return real.ifThere(path);
        }

        @Override
        public Optional<String> send(Call call) throws TroubleException, InterruptedException {
            real.send(call);
            sent.add(call.path());
            throw new TroubleException(new Trouble(Trouble.Kind.TIMEOUT, "pve1:8006", "no answer", "Wait."));
        }

        @Override
        public TaskEnd await(String upid, Duration limit, Consumer<String> lines)
                throws TroubleException, InterruptedException {
            return real.await(upid, limit, lines);
        }

        @Override
        public Caller caller() throws TroubleException, InterruptedException {
            return real.caller();
        }

        @Override
        public void close() {
        }
    }
}

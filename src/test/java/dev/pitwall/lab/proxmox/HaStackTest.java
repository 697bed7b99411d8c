package dev.pitwall.lab.proxmox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.LabHaResource;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** What becomes of the VMs that HA looks after when their host goes down, round by round. */
class HaStackTest {
    private static final Instant START = Instant.parse("2025-11-20T20:00:00Z");
    /** A round is every ten seconds, a silent host is fenced after two minutes. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private final World world = new World(new LabClock(InstantSource.fixed(START)), 1);
    private final LabHaResource resource = new LabHaResource("vm:120");
    private Tasks tasks;
    private NodePower nodes;
    private HaStack stack;

    @BeforeEach
    void build() throws Exception {
        SceneWorld.fill(world, new SceneFile().bundled("workshop"));
        Times times = new Times();
        tasks = new Tasks(world);
        VmPower power = new VmPower(world, tasks, new VmLocks(world.clock(), times.of("lockTimeout")),
                new VmStart(world, new PassThrough(), times), new VmStop(world, times));
        nodes = new NodePower(world, tasks, power, times);
        stack = new HaStack(world, tasks, power, times);
        world.change(w -> {
            resource.options.put("state", "started");
            w.haResources.put(resource.sid, resource);
        });
        stack.round(START);
        assertThat(resource.status).isEqualTo("started");
    }

    @AfterEach
    void stop() {
        nodes.close();
        tasks.close();
    }

    private void switchOff() {
        world.change(w -> {
            PowerSwitch.stop(w, w.vms.get(120));
            w.hosts.get("pve2").off = true;
        });
    }

    private String host() {
        return world.read(w -> w.vms.get(120).host);
    }

    @Test
    void aHostThatRebootsKeepsItsVmsHoweverLongItTakes() {
        nodes.goDown("pve2", NodePower.Then.REBOOT);
        switchOff();
        stack.round(START.plusSeconds(10));
        stack.round(START.plus(LONG));

        assertThat(host()).isEqualTo("pve2");
        assertThat(resource.status).isEqualTo("freeze");

        world.change(w -> PowerSwitch.bootHost(w, w.hosts.get("pve2"), START.plus(LONG)));
        stack.round(START.plus(LONG).plusSeconds(10));
        assertThat(resource.status).as("started by HA, not by the host").isEqualTo("started");
        assertThat(world.<Long>read(w -> w.tasks.keySet().stream().filter(t -> t.contains(":qmstart:120:")).count())).isEqualTo(1);
    }

    @Test
    void aVmThatIsStoppedForTheRebootIsNotStartedBeforeIt() {
        nodes.goDown("pve2", NodePower.Then.REBOOT);
        world.change(w -> PowerSwitch.stop(w, w.vms.get(120)));
        stack.round(START.plusSeconds(10));

        assertThat(world.<Boolean>read(w -> w.tasks.keySet().stream().noneMatch(t -> t.contains(":qmstart:120:")))).isTrue();
    }

    @Test
    void aHostThatIsSwitchedOffOrLostLosesItsVmsToAnotherAfterAWhile() {
        nodes.goDown("pve2", NodePower.Then.STAY_OFF);
        switchOff();
        stack.round(START.plusSeconds(10));
        stack.round(START.plusSeconds(100));
        assertThat(host()).isEqualTo("pve2");
        stack.round(START.plus(LONG));
        assertThat(host()).isNotEqualTo("pve2");

        String second = host();
        world.change(w -> w.hosts.get(second).silent = true);
        world.change(w -> w.hosts.get("pve2").off = false);
        stack.round(START.plus(LONG).plusSeconds(10));
        assertThat(resource.status).isEqualTo("fence");
        stack.round(START.plus(LONG).plus(LONG));
        assertThat(host()).isNotEqualTo(second);
    }
}

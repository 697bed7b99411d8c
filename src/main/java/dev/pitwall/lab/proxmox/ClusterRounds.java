package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.World;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a Proxmox cluster does by itself, every few seconds of lab time: its HA stack looks, its backup jobs come due. */
final class ClusterRounds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterRounds.class);

    private final World world;
    private final HaStack ha;
    private final Backups backups;
    private final Duration round;
    private final Thread thread;
    private Instant last;

    private ClusterRounds(World world, HaStack ha, Backups backups, Duration round) {
        this.world = world;
        this.ha = ha;
        this.backups = backups;
        this.round = round;
        this.last = world.clock().instant();
        this.thread = Thread.ofVirtual().name("lab-pve-cluster").unstarted(this::go);
    }

    static ClusterRounds start(World world, HaStack ha, Backups backups, Duration round) {
        ClusterRounds rounds = new ClusterRounds(world, ha, backups, round);
        rounds.thread.start();
        return rounds;
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void go() {
        try {
            while (true) {
                world.clock().await(last.plus(round));
                Instant now = world.clock().instant();
                once(now);
                last = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void once(Instant now) {
        try {
            ha.round(now);
            due(now).forEach(this::backUp);
        } catch (RuntimeException e) {
            // One bad round must not end all later ones.
            LOG.error("a round of the lab's Proxmox cluster failed", e);
        }
    }

    private List<Map<String, String>> due(Instant now) {
        return world.read(w -> w.backupJobs.values().stream()
                .filter(job -> !job.getOrDefault("enabled", "1").equals("0"))
                .filter(job -> Optional.ofNullable(job.get("schedule")).flatMap(BackupSchedule::of)
                        .filter(schedule -> !schedule.next(last).isAfter(now)).isPresent())
                .map(Map::copyOf).toList());
    }

    private void backUp(Map<String, String> job) {
        List<String> nodes = world.read(w -> w.hosts.values().stream().filter(host -> host.proxmox && host.answers())
                .map(host -> host.name).filter(name -> job.getOrDefault("node", name).equals(name)).toList());
        for (String node : nodes) {
            try {
                backups.run(new Caller.User(Rights.ROOT), node, job);
            } catch (PveError e) {
                LOG.debug("backup job on {}: {}", node, e.getMessage());
            }
        }
    }
}

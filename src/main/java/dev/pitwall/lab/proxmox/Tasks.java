package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabTask;
import dev.pitwall.lab.world.World;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The tasks of the Proxmox hosts: each call that takes long is one, answers with its UPID at once, and goes on by itself
 * in lab time. [facts: proxmox.md 1.11]
 */
public final class Tasks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);
    private static final int KEPT = 1000;
    private static final int FIRST_PROCESS = 0x1A2B3;
    private static final int KERNEL_TICKS = 100;

    private final World world;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("lab-pve-task-", 0).factory());
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    private int process = FIRST_PROCESS;

    private record Running(LabTask task, Future<?> work, CountDownLatch ended) {
    }

    Tasks(World world) {
        this.world = world;
    }

    /**
     * Starts a task.
     *
     * @param node  where it runs
     * @param type  for example {@code qmstart}
     * @param about a VM's number, or empty
     * @param user  who started it
     * @return its UPID
     */
    String start(String node, String type, String about, String user, Work work) {
        AtomicReference<LabTask> made = new AtomicReference<>();
        world.change(w -> {
            Instant now = w.clock().instant();
            long uptime = Duration.between(w.hosts.get(node).bootedAt, now).toMillis() * KERNEL_TICKS / 1000;
            LabTask task = new LabTask(node, type, about, user, process++, uptime, now);
            w.tasks.put(task.upid, task);
            forgetOld(w);
            made.set(task);
        });
        LabTask task = made.get();
        CountDownLatch ended = new CountDownLatch(1);
        CountDownLatch known = new CountDownLatch(1);
        Future<?> future = threads.submit(() -> {
            try {
                known.await();
                run(task, work);
            } catch (InterruptedException e) {
                end(task, "received interrupt");
            } finally {
                running.remove(task.upid);
                ended.countDown();
            }
        });
        running.put(task.upid, new Running(task, future, ended));
        known.countDown();
        return task.upid;
    }

    /** A task by its UPID, of whichever node. */
    public Optional<LabTask> find(String upid) {
        return world.read(w -> Optional.ofNullable(w.tasks.get(upid)));
    }

    /**
     * Waits for a task, at most for some lab time.
     *
     * @return how it ended; empty while it goes on
     */
    public Optional<String> await(String upid, Duration atMost) throws InterruptedException {
        Optional<Running> now = Optional.ofNullable(running.get(upid));
        if (now.isPresent()) {
            now.get().ended.await(world.clock().realTime(atMost).toMillis(), TimeUnit.MILLISECONDS);
        }
        return find(upid).map(task -> world.read(w -> task.exitStatus)).filter(status -> !status.isEmpty());
    }

    /** Stops a task; one that is over stays as it is. */
    public void stop(String upid) {
        Optional.ofNullable(running.get(upid)).ifPresent(now -> now.work.cancel(true));
    }

    /**
     * Stops the tasks of a type that are about a VM.
     *
     * @return their UPIDs
     */
    List<String> stop(String type, int vmid) {
        List<Running> found = running.values().stream().filter(now -> now.task.type.equals(type)
                && now.task.about.equals(String.valueOf(vmid))).toList();
        found.forEach(now -> now.work.cancel(true));
        return found.stream().map(now -> now.task.upid).toList();
    }

    /** A node's power is gone: its tasks end in the middle of a line, and nobody knows how. */
    void cutOff(String node, String exceptUpid) {
        running.values().stream().filter(now -> now.task.node.equals(node) && !now.task.upid.equals(exceptUpid))
                .forEach(now -> {
                    world.change(w -> finish(now.task, "unexpected status", w.clock().instant()));
                    now.work.cancel(true);
                });
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(LabTask task, Work work) {
        try {
            work.run(new TaskLog(world, task));
            world.change(w -> {
                String status = task.warnings > 0 ? "WARNINGS: " + task.warnings : "OK";
                finish(task, status, w.clock().instant(), "TASK " + status);
            });
        } catch (PveError e) {
            end(task, e.getMessage());
        } catch (InterruptedException e) {
            end(task, "received interrupt");
        } catch (RuntimeException e) {
            LOG.error("task {} of the practice lab failed", task.upid, e);
            end(task, "internal error of the practice lab");
        }
    }

    private void end(LabTask task, String error) {
        String text = error.strip().replace('\n', ' ');
        world.change(w -> finish(task, text, w.clock().instant(), "TASK ERROR: " + text));
    }

    private static void finish(LabTask task, String status, Instant now, String... lastLines) {
        if (task.endedAt.isEmpty()) {
            task.log.addAll(List.of(lastLines));
            task.exitStatus = status;
            task.endedAt = Optional.of(now);
        }
    }

    private static void forgetOld(World w) {
        Iterator<LabTask> oldest = w.tasks.values().iterator();
        while (w.tasks.size() > KEPT && oldest.hasNext()) {
            if (oldest.next().endedAt.isPresent()) {
                oldest.remove();
            }
        }
    }
}

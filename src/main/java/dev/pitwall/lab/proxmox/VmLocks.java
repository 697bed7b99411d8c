package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabClock;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The lock file of each VM: one task at a time works on it, the next waits and then gives up.
 * [facts: proxmox.md 1.11; pve-guest-common lock_config]
 */
final class VmLocks {
    private final LabClock clock;
    private final Duration patience;
    private final Map<Integer, Semaphore> locks = new ConcurrentHashMap<>();

    VmLocks(LabClock clock, Duration patience) {
        this.clock = clock;
        this.patience = patience;
    }

    /** A lock that is held until it is closed. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    Held take(int vmid) throws PveError, InterruptedException {
        Semaphore lock = locks.computeIfAbsent(vmid, id -> new Semaphore(1, true));
        if (!lock.tryAcquire(clock.realTime(patience).toMillis(), TimeUnit.MILLISECONDS)) {
            throw PveError.died("can't lock file '/var/lock/qemu-server/lock-" + vmid + ".conf' - got timeout");
        }
        return lock::release;
    }
}

package dev.pitwall.lab.proxmox;

/** What a task does. */
@FunctionalInterface
interface Work {
    /**
     * @throws PveError             the task fails with this text
     * @throws InterruptedException the task was stopped
     */
    void run(TaskLog log) throws PveError, InterruptedException;
}

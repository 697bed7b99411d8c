/** Schedules as CronJobs write them: five fields, names for common ones, and steady intervals. */
package dev.pitwall.lab.kube.cron;

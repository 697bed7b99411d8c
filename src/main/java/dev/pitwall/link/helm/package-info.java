/** Helm: charts and their repositories, releases as a cluster keeps them, and Helm itself, which runs in this process. */
package dev.pitwall.link.helm;

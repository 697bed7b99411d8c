/**
 * A Helm repository on loopback, and releases as Helm keeps them in a cluster. The charts are of the lab's own making:
 * they take the value keys of the charts they are named after and make the same objects.
 */
package dev.pitwall.lab.helm;

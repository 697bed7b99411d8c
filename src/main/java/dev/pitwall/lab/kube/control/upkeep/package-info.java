/** What keeps a cluster in order behind everybody's back: the garbage collector, namespaces that go, service accounts, pods that nobody looks after. */
package dev.pitwall.lab.kube.control.upkeep;

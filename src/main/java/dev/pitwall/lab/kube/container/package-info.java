/**
 * What the API server and the kubelets ask of each other about containers: their output, commands in them, the sockets
 * behind their ports, and the tokens that are mounted into them.
 */
package dev.pitwall.lab.kube.container;

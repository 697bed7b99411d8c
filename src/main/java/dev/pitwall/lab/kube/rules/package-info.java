/** What an object must be like to be kept: defaults, validation and the limits of what may change, as the API server has them. */
package dev.pitwall.lab.kube.rules;

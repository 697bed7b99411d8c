/** One HTTP exchange, bounded in time and size, whose failures are troubles; shared by every link that speaks HTTP. */
package dev.pitwall.link.http;

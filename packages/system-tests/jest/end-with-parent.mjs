const { connected, stdin } = process

// Ends a worker when its standard input ends, as it does when jest is killed. Its tests may run forever, and with the worker
// end the apps and servers that they have started. Once per worker: all its test files have the same standard input.
if (connected && !stdin.readableFlowing) {
  stdin.once('end', process.kill.bind(process, process.pid, 'SIGKILL'))
  stdin.resume().unref()
}

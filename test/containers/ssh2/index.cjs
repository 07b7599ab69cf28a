/** What testcontainers makes for DOCKER_HOST=ssh://…, which the tests do not use. */
exports.Client = class Client {
  constructor() {
    throw new Error('Docker over SSH is not supported here: set DOCKER_HOST to a socket or a tcp:// address');
  }
};

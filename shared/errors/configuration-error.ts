/**
 * The service cannot start as it is set up: a wrong option, a missing folder, a faulty settings file. The
 * message is for the operator, one line a fault; the command line prints it and exits with code 2.
 */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

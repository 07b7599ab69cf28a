/** Where the API has workflow definitions. */
export const PATH = '/api/v1/workflow-definitions';

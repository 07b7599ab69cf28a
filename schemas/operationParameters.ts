import { Type } from '../kernel/schema.ts';
import { identifier, pathParameter, printable, textParameter } from './parameters.ts';

const name = Type.String({ pattern: '^[A-Za-z]{1,64}$' });

/** The parameters of what is under /operations. */
export const projection = pathParameter(name, 404, "the read model's name");
export const taskId = pathParameter(identifier('tsk'), 404, "the task's identifier");
export const reactor = pathParameter(name, 404, "the reactor's name");

export const projectionFilter = textParameter(printable, 'only documents of this read model');
export const reactorFilter = textParameter(printable, 'only reactions of this reactor');
export const queueFilter = textParameter(
  printable,
  'the leases of work under way in this queue; without it, those of the loops of which one process runs each',
);

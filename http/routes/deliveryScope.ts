import type { DeliveryDocument, deliveryQueries } from '../../projections/deliveries.ts';
import type { CompanyCaller } from '../engine/access/caller.ts';
import { ownOf, ownOfKey } from './caller.ts';

type DeliveryRequest = Readonly<{ caller: CompanyCaller; parameters: Readonly<{ deliveryId: string }> }>;

/**
 * The delivery of a request, null when its caller may not see it: then it is as unknown as one that is not
 * there.
 */
export const findingDelivery =
  ({ find }: Pick<ReturnType<typeof deliveryQueries>, 'find'>) =>
  async ({ caller, parameters }: DeliveryRequest): Promise<DeliveryDocument | null> => {
    const found = await find(parameters.deliveryId);
    return found && isWithin(found, found.endpointId ? scopeOf(caller) : ownOf(caller)) ? found : null;
  };

type Chosen = Readonly<{ keyId?: string | null | undefined; endpointId?: string | null | undefined }>;

/**
 * What chosen deliveries have in common, null when its caller sees none of them. Those to an endpoint belong
 * to its company and mode; others to the key (deliveries-8).
 */
export const chosenOf = (caller: CompanyCaller, { keyId, endpointId }: Chosen) =>
  endpointId ? { ...scopeOf(caller), endpointId, ...(keyId ? { keyId } : {}) } : ownOfKey(caller, keyId);

const scopeOf = ({ companyId, mode }: CompanyCaller) => ({ companyId, mode });

/** Whether a delivery has these members. */
const isWithin = (document: DeliveryDocument, own: object): boolean =>
  Object.entries(own).every(([name, value]) => document[name as keyof DeliveryDocument] === value);

import { changedPackages } from '../contract/evidence/changed.ts';
import { hostilePackages } from '../contract/evidence/hostile.ts';
import { verifications } from '../contract/evidence/verification.ts';

for (const by of verifications) {
  changedPackages(by);
  hostilePackages(by);
}

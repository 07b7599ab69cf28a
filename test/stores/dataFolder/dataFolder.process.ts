import { embeddedMasterKeys } from '../../../stores/dataFolder/keys.ts';
import { claimDataDir, DataDirInUse } from '../../../stores/dataFolder/lock.ts';

// A process of its own for dataFolder.test.ts. Argument 1: what to do; 2: the folder. It begins when it is
// told to.
const [, , role, folder = ''] = process.argv;

const claim = (): string => {
  try {
    claimDataDir(folder);
    return 'claimed';
  } catch (error) {
    if (error instanceof DataDirInUse) return error.message;
    throw error;
  }
};

process.on('message', () => {
  process.send?.(role === 'key' ? embeddedMasterKeys(folder)[0]?.toString('base64') : claim());
});
process.send?.('ready');

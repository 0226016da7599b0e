/**
 * The external human check: Aliyun's `AuthenticateSig`, an RPC call of version 2018-01-12 signed
 * with HMAC-SHA1. The provider itself lets a result pass once and for ten minutes.
 */
import { createHmac, randomUUID } from 'node:crypto';
import type { CaptchaPayload } from '@hypercube/contract';
import { z } from 'zod';
import { CaptchaProviderError, type CaptchaProvider } from './provider.ts';

export interface AliyunOptions {
  readonly appKey: string;
  readonly accessKeyID: string;
  readonly accessKeySecret: string;
  /** Where the call goes; `https://afs.aliyuncs.com/` unless a test stands in for it. */
  readonly endpoint: string;
}

/** From where the provider's script and widget come; the pages' policy has to let them. */
export const ALIYUN_SOURCES: readonly string[] = [
  'https://g.alicdn.com',
  'https://*.alicdn.com',
  'https://*.aliyun.com',
  'https://*.aliyuncs.com',
];

const WAIT_MS = 5000;
const PASSED = 100;
const REFUSED = 900;

/** The answer; a wrong key or signature is told as a text in `Code`. */
const answer = z.object({
  Code: z.union([z.number(), z.string()]),
  Message: z.string().optional(),
});

/** RFC 3986, in which the signature is computed: four characters more than a browser encodes. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (found) => `%${(found.codePointAt(0) ?? 0).toString(16).toUpperCase()}`,
  );

/** The parameters in the order and form in which both sides sign them. */
const canonical = (parameters: Readonly<Record<string, string>>): string =>
  Object.keys(parameters)
    // By code unit, whatever the language of the machine.
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    .map((name) => `${encode(name)}=${encode(parameters[name] ?? '')}`)
    .join('&');

/** The signature of an RPC call. */
export const signRPC = (
  method: 'GET' | 'POST',
  parameters: Readonly<Record<string, string>>,
  accessKeySecret: string,
): string =>
  createHmac('sha1', `${accessKeySecret}&`)
    .update(`${method}&${encode('/')}&${encode(canonical(parameters))}`)
    .digest('base64');

export function createAliyunProvider(options: AliyunOptions): CaptchaProvider {
  return {
    async verify({ Token, Sig, SessionId, Scene }: CaptchaPayload, address) {
      const parameters: Record<string, string> = {
        Action: 'AuthenticateSig',
        Version: '2018-01-12',
        Format: 'JSON',
        AccessKeyId: options.accessKeyID,
        SignatureMethod: 'HMAC-SHA1',
        SignatureVersion: '1.0',
        SignatureNonce: randomUUID(),
        // To the second; the provider takes no fractions.
        Timestamp: `${new Date().toISOString().slice(0, 19)}Z`,
        Token,
        Sig,
        SessionId,
        Scene,
        AppKey: options.appKey,
        RemoteIp: address,
      };
      const body = new URLSearchParams({
        ...parameters,
        Signature: signRPC('POST', parameters, options.accessKeySecret),
      });
      let code: number | string;
      let message: string | undefined;
      try {
        const response = await fetch(options.endpoint, {
          method: 'POST',
          body,
          signal: AbortSignal.timeout(WAIT_MS),
          redirect: 'error',
        });
        ({ Code: code, Message: message } = answer.parse(await response.json()));
      } catch (error) {
        throw new CaptchaProviderError('the human check did not answer', { cause: error });
      }
      if (Number(code) === PASSED) return true;
      if (Number(code) === REFUSED) return false;
      throw new CaptchaProviderError(`the human check answered ${code}: ${message ?? ''}`);
    },
  };
}

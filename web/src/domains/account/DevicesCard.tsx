/** Where one is signed in, and signing out from afar. */
import type { Device } from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { devicesQuery, endDevice, endOtherDevices } from './settings.api.ts';

const nameOf = ({ Browser, System }: Device, words: Catalogue['account']): string =>
  words.device(Browser || words.unknownBrowser, System || words.unknownSystem);

export function DevicesCard({ userID }: { readonly userID: number }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.account;
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(devicesQuery(userID));
  const renew = () => client.invalidateQueries({ queryKey: devicesQuery(userID).queryKey });
  const ending = useMutation({
    mutationFn: (device: Device) => endDevice(userID, device.ID),
    onSuccess: () => toast('success', words.deviceEnded),
    onSettled: renew,
  });
  const endingOthers = useMutation({
    mutationFn: () => endOtherDevices(userID),
    onSuccess: ({ Ended }) => toast('success', words.othersEnded(Ended)),
    onSettled: renew,
  });
  const devices = data?.List ?? [];
  return (
    <section className="card settings-card" aria-labelledby="devices">
      <div>
        <h2 id="devices">{words.devices}</h2>
        <p className="muted">{words.devicesLead}</p>
      </div>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 120 }} />
          </LoadingRegion>
        )
      ) : (
        <ul className="setting-rows">
          {devices.map((device) => {
            const name = nameOf(device, words);
            return (
              <li key={device.ID}>
                <div>
                  <b>{name}</b>
                  {device.IsCurrent ? <span className="tag">{words.thisDevice}</span> : null}
                  <div className="muted">
                    {[
                      device.Address,
                      device.LastSeenAt === null
                        ? null
                        : words.deviceSeen(formatMoment(device.LastSeenAt, language)),
                      words.deviceSince(formatMoment(device.CreatedAt, language)),
                    ]
                      .filter((part) => part !== null)
                      .join(messages.common.dotSeparator)}
                  </div>
                </div>
                {device.IsCurrent ? null : (
                  <Button
                    aria-label={words.endDeviceNamed(name)}
                    isBusy={ending.isPending && ending.variables.ID === device.ID}
                    onClick={() => ending.mutate(device)}
                  >
                    {words.endDevice}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {devices.length > 1 ? (
        <Button look="danger" isBusy={endingOthers.isPending} onClick={() => endingOthers.mutate()}>
          {words.endOthers}
        </Button>
      ) : null}
    </section>
  );
}

/** Time runs out: said above the machine, with the renewal beside it. */
import type { Usage } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { useRemaining, warningLevel } from '../usage/countdown.ts';
import type { Environment } from './environment.ts';

export function WarningBand({
  environment,
  usage,
}: {
  readonly environment: Environment;
  readonly usage: Usage;
}): ReactNode {
  const messages = useMessages();
  const remaining = useRemaining(environment.state);
  const level = warningLevel(remaining);
  if (level === 'none') return null;
  return (
    <div className="warn-band">
      <p>
        <b>{level === 'last' ? messages.usage.warning1 : messages.usage.warning5}</b>
        {level === 'last' ? messages.usage.warningTooLate : messages.usage.warningText}
      </p>
      {level === 'last' ? null : (
        <Button
          look="primary"
          isSmall
          isBusy={environment.busyAction === 'renew'}
          onClick={() => environment.run('renew', usage)}
        >
          {messages.usage.renew}
        </Button>
      )}
    </div>
  );
}

import { signedIn } from '../../platform/access/access.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import type { ComputerService } from './computer.service.ts';

type Names = 'getComputer' | 'createComputer' | 'deleteComputer';

export const computerHandlers = (service: ComputerService): HandlersOf<Names> => ({
  getComputer: async ({ actor, query }) => service.read(signedIn(actor).userID, query.lang),

  createComputer: async ({ actor, scoped, query }) => {
    const { userID, username } = signedIn(actor);
    if (!scoped.SpecificationID) throw new DomainError('not_found');
    await service.create(userID, username, scoped.SpecificationID);
    return service.read(userID, query.lang);
  },

  deleteComputer: async ({ scoped, query }) => {
    await service.remove(scoped.computerID, query.confirm);
    return null;
  },
});

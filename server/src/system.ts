/**
 * Puts the parts together for the roles that a process has: the database, the app, the gateway,
 * the worker. `main.ts` runs it for people, the tests run it for themselves.
 */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type pg from 'pg';
import { createApp, fillApp, type AppOptions } from './app.ts';
import { captchaHandlers } from './domains/captcha/captcha.routes.ts';
import { createCaptcha } from './domains/captcha/captcha.service.ts';
import { createFirstAccounts, type FirstAccount } from './domains/content/accounts.ts';
import { loadContent } from './domains/content/content.service.ts';
import { resolveOwnComputers } from './domains/computer/computer.access.ts';
import { computerHandlers } from './domains/computer/computer.routes.ts';
import { createComputerService } from './domains/computer/computer.service.ts';
import {
  resolveCourseAssistants,
  resolveCourseCollaborators,
  resolveCourseMembers,
  resolveCourseNotices,
  resolveCourses,
  resolveJoinedCourses,
  resolveManagedCourses,
  resolveOwnCourses,
} from './domains/course/course.access.ts';
import { courseHandlers } from './domains/course/course.routes.ts';
import { createCourseService } from './domains/course/course.service.ts';
import { resolveAuditRecords } from './domains/audit/audit.access.ts';
import { auditHandlers } from './domains/audit/audit.routes.ts';
import { createRecorder } from './domains/audit/audit.service.ts';
import { LiveFigures, readOnline } from './domains/dashboard/dashboard.live.ts';
import { dashboardHandlers } from './domains/dashboard/dashboard.routes.ts';
import { domainHandlers } from './domains/domain/domain.routes.ts';
import { resolveDomains, resolveTags } from './domains/domain/domain.access.ts';
import { environmentHandlers } from './domains/environment/environment.routes.ts';
import {
  resolveAttachmentUploads,
  resolveCommentUploads,
  resolveGradedPersons,
  resolveHomework,
  resolveHomeworkAttachments,
  resolveManagedHomework,
  resolveOwnSubmissions,
  resolveReadableSubmissions,
  resolveSubmissionFiles,
  resolveSubmissionUploads,
} from './domains/homework/homework.access.ts';
import { homeworkHandlers } from './domains/homework/homework.routes.ts';
import { createHomeworkService } from './domains/homework/homework.service.ts';
import {
  resolveImageVersions,
  resolveImages,
  resolveManagedImages,
} from './domains/image/image.access.ts';
import { buildBuiltInImage } from './domains/image/image.jobs.ts';
import { imageHandlers } from './domains/image/image.routes.ts';
import { createImageService, type ImageRow } from './domains/image/image.service.ts';
import { ImageWorker } from './domains/image/image.worker.ts';
import {
  resolveLabResources,
  resolveLabTasks,
  resolveLabs,
  resolveManagedLabs,
} from './domains/lab/lab.access.ts';
import { labHandlers } from './domains/lab/lab.routes.ts';
import { createLabService, findLabs } from './domains/lab/lab.service.ts';
import { resolveMails } from './domains/mail/mail.access.ts';
import { mailHandlers } from './domains/mail/mail.routes.ts';
import { keptWay, openWay } from './domains/mail/mail.way.ts';
import { MailWorker, sweepMails } from './domains/mail/mail.worker.ts';
import {
  resolveOwnNotifications,
  resolveSentNotifications,
} from './domains/notification/notification.access.ts';
import { notificationHandlers } from './domains/notification/notification.routes.ts';
import {
  createNotificationService,
  type NotificationService,
} from './domains/notification/notification.service.ts';
import { NotificationWorker } from './domains/notification/notification.worker.ts';
import {
  resolveManagedProblems,
  resolveProblemSubmissions,
  resolveProblems,
} from './domains/problem/problem.access.ts';
import { problemHandlers } from './domains/problem/problem.routes.ts';
import { createProblemService } from './domains/problem/problem.service.ts';
import { JudgeWorker } from './domains/problem/problem.worker.ts';
import {
  resolveManagedResources,
  resolveOpenCentres,
  resolveOwnResources,
} from './domains/resource/resource.access.ts';
import { resourceHandlers } from './domains/resource/resource.routes.ts';
import { createResourceService } from './domains/resource/resource.service.ts';
import { createSettingChecks } from './domains/setting/setting.checks.ts';
import { settingDefaults } from './domains/setting/setting.defaults.ts';
import { settingHandlers } from './domains/setting/setting.routes.ts';
import { Settings } from './domains/setting/setting.service.ts';
import { Logos } from './domains/site/logos.ts';
import { fillPage, namedLogos, siteFace } from './domains/site/site.face.ts';
import { siteHandlers } from './domains/site/site.routes.ts';
import { resolveManagedSoftware, resolveSoftware } from './domains/software/software.access.ts';
import { softwareHandlers } from './domains/software/software.routes.ts';
import {
  resolveManagedSpecifications,
  resolveNodes,
  resolveSpecifications,
} from './domains/specification/specification.access.ts';
import { specificationHandlers } from './domains/specification/specification.routes.ts';
import { createSpecificationService } from './domains/specification/specification.service.ts';
import {
  resolveOwnSuggestions,
  resolveSuggestions,
} from './domains/suggestion/suggestion.access.ts';
import { suggestionHandlers } from './domains/suggestion/suggestion.routes.ts';
import { createSuggestionService } from './domains/suggestion/suggestion.service.ts';
import { trackHandlers } from './domains/track/track.routes.ts';
import { createTrackService } from './domains/track/track.service.ts';
import {
  installUniversityList,
  universityHandlers,
} from './domains/university/university.routes.ts';
import { readUniversities } from './domains/university/university.service.ts';
import { resolveOwnIdentities } from './domains/sso/sso.access.ts';
import { knownProviders } from './domains/sso/sso.providers.ts';
import { ssoHandlers } from './domains/sso/sso.routes.ts';
import { createSsoService } from './domains/sso/sso.service.ts';
import { resolveAnyUsages, resolveOwnUsages } from './domains/usage/usage.access.ts';
import { UsageEvents } from './domains/usage/usage.events.ts';
import { usageHandlers } from './domains/usage/usage.routes.ts';
import { createUsageService } from './domains/usage/usage.service.ts';
import { createSessionTickets } from './domains/usage/usage.tickets.ts';
import { UsageWorker } from './domains/usage/usage.worker.ts';
import { Logins } from './domains/user/login.ts';
import { createRegistrationPolicy } from './domains/user/registration.policy.ts';
import { registrationHandlers } from './domains/user/registration.routes.ts';
import { createRegistrationService } from './domains/user/registration.service.ts';
import { Avatars } from './domains/user/avatar.ts';
import { resolveOwnDevices, resolvePictured, resolveSelf } from './domains/user/user.access.ts';
import { accountHandlers } from './domains/user/user.account.routes.ts';
import { createAccountService } from './domains/user/user.account.ts';
import { resolveCentres, resolveManagedUsers } from './domains/user/user.admin.access.ts';
import { userAdminHandlers } from './domains/user/user.admin.routes.ts';
import { createUserAdminService } from './domains/user/user.admin.service.ts';
import { createUserCodes } from './domains/user/user.codes.ts';
import { userHandlers } from './domains/user/user.routes.ts';
import { createUserService } from './domains/user/user.service.ts';
import { logFiles } from './engines/containers/bounded-log.ts';
import type { ContainerHost } from './engines/containers/container-host.ts';
import type { ContainerEngine } from './engines/containers/engine.ts';
import { imageLogPath } from './engines/containers/image-build.ts';
import { installationPaths } from './engines/containers/installation.ts';
import { AbsentSandbox } from './engines/sandbox/absent-sandbox.ts';
import type { Sandbox } from './engines/sandbox/sandbox.ts';
import { Gateway } from './gateway/gateway.ts';
import { checkResolvers, type Resolvers } from './platform/access/access.ts';
import { keepDatabaseClock, type Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import {
  checkServer,
  openDatabase,
  readDatabaseTime,
  type DatabaseHandle,
} from './platform/database/database.ts';
import { migrateDatabase } from './platform/database/migrate.ts';
import { Listener } from './platform/database/notify.ts';
import { SecretBox } from './platform/secret-box.ts';
import { PersonalFiles } from './platform/storage/personal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface SystemOptions {
  readonly config: Config;
  readonly connection: pg.ClientConfig;
  /** Undefined in tests that set the time: the database's clock is used. */
  readonly clock?: Clock;
  readonly logger: FastifyServerOptions['logger'];
  readonly version: string;
  readonly onQuery?: (statement: string) => void;
  /** Folder of the built pages. */
  readonly pagesFolder?: string;
  /** Folders of the first content; tests bring their own. */
  readonly contentFolder?: string;
}

/** An engine, or why there is none. */
export interface EngineOutcome {
  readonly engine: ContainerEngine | null;
  readonly reason: string | null;
  /** What builds images; absent where nothing does. */
  readonly host?: ContainerHost;
  /** Where programs are judged; whoever gives it closes it. Absent: nowhere. */
  readonly sandbox?: Sandbox;
}

export interface System {
  readonly app: FastifyInstance;
  readonly handle: DatabaseHandle;
  readonly clock: Clock;
  readonly listener: Listener;
  readonly gateway: Gateway;
  readonly files: PersonalFiles;
  readonly firstAccounts: readonly FirstAccount[];
  readonly events: UsageEvents;
  readonly notifications: NotificationService;
  /** The housekeeping of all domains; the worker does it once in a while. */
  sweep(): Promise<void>;
  /** Starts the worker on an engine; may come later than the site itself. */
  startWorker(outcome: EngineOutcome): Promise<UsageWorker>;
  close(): Promise<void>;
}

/** Where the site is when nobody said it: this machine. */
const localURL = ({ HC_HOST, HC_PORT }: Config): string =>
  `http://${['0.0.0.0', '::'].includes(HC_HOST) ? 'localhost' : HC_HOST}:${HC_PORT}`;

/** Migrates, puts the first content in, and builds the app. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { config } = options;
  const box = await SecretBox.open(config.HC_DATA, config.HC_SECRET_KEY);
  await migrateDatabase(options.connection);
  const handle = openDatabase(
    options.connection,
    options.onQuery ? { onQuery: options.onQuery } : {},
  );
  const { database } = handle;
  await checkServer(database);

  const databaseClock = await keepDatabaseClock(() => readDatabaseTime(database));
  const clock = options.clock ?? databaseClock.clock;

  await loadContent(database, {
    contentFolder: options.contentFolder ?? join(ROOT, 'content'),
    imageFolders: [join(ROOT, 'images'), ...(config.HC_IMAGES ? [resolve(config.HC_IMAGES)] : [])],
    dataFolder: config.HC_DATA,
  });
  const firstAccounts = await createFirstAccounts(database, config.HC_DEMO_PASSWORD);

  const listener = new Listener(options.connection);
  await listener.start();
  const isSecure = config.HC_PUBLIC_URL?.startsWith('https:') ?? false;
  const logins = new Logins({ database, clock, listener, isSecure });
  const userService = createUserService({
    database,
    clock,
    loginHours: config.HC_LOGIN_HOURS,
    onLoginChanged: (userID) => logins.forget(userID),
  });
  const universities = await readUniversities(
    join(ROOT, 'content', 'university', 'universities.json'),
  );
  const userCodes = createUserCodes({ database, clock });
  const accounts = createAccountService({
    database,
    clock,
    users: userService,
    codes: userCodes,
    avatars: new Avatars(config.HC_DATA),
    findUniversity: (name) => universities.findUniversity(name),
    onLoginChanged: (userID) => logins.forget(userID),
  });
  const logos = new Logos(config.HC_DATA);
  const settings = await Settings.open({
    database,
    listener,
    clock,
    box,
    defaults: settingDefaults(config),
    ignored: config.HC_SETTINGS_IGNORED,
    checks: createSettingChecks(config, logos),
  });
  const face = siteFace(settings);
  const policy = createRegistrationPolicy(() => settings.current('registration'));
  const sso = createSsoService({
    database,
    clock,
    users: userService,
    codes: userCodes,
    providers: knownProviders(config, settings),
    policy,
  });
  const publicURL = config.HC_PUBLIC_URL ?? localURL(config);
  const captcha = await createCaptcha({
    database,
    clock,
    settings,
    endpoint: config.HC_CAPTCHA_ENDPOINT,
  });
  const userAdminService = createUserAdminService({
    database,
    clock,
    dataFolder: config.HC_DATA,
    codes: userCodes,
    publicURL,
    onLoginChanged: (userID) => logins.forget(userID),
  });
  const registrations = createRegistrationService({
    database,
    clock,
    users: userService,
    codes: userCodes,
    publicURL,
    policy,
    findUniversity: (name) => universities.findUniversity(name),
    onLoginChanged: (userID) => logins.forget(userID),
  });
  const files = new PersonalFiles(config.HC_DATA);
  const labService = createLabService({
    database,
    clock,
    dataFolder: config.HC_DATA,
    files,
    uploadBytes: () => settings.current('limits').UploadBytes,
    quotaBytes: () => settings.current('limits').PersonalQuotaBytes,
  });
  const capacity = {
    cpus: config.HC_CAPACITY_CPUS,
    memoryBytes: config.HC_CAPACITY_MEMORY_MIB * 1024 * 1024,
  };
  const usageService = createUsageService({
    database,
    clock,
    listener,
    capacity,
    limits: () => {
      const current = settings.current('limits');
      return {
        queue: current.QueueLimit,
        sessions: current.MaxSessions,
        quotaBytes: current.PersonalQuotaBytes,
        lifetimeSeconds: current.LifetimeSeconds,
      };
    },
  });
  const computers = createComputerService({
    database,
    clock,
    dataFolder: config.HC_DATA,
    endUsagesOf: (computerID) => usageService.endOfComputer(computerID),
  });
  const specificationService = createSpecificationService({ database, capacity });
  const imageLog = (image: Pick<ImageRow, 'id' | 'slug'>): string =>
    imageLogPath(config.HC_DATA, image.slug ?? `image-${image.id}`);
  const imageService = createImageService({
    database,
    clock,
    findUsage: (usageID) => usageService.find(usageID),
    findObstacle: async () => {
      const live = await usageService.findLiveWorker();
      if (!live) return 'no_worker';
      return live.isEngineReady ? null : (live.engineReason ?? 'no_engine');
    },
    logPaths: (image) => logFiles(imageLog(image)),
  });
  const notifications = createNotificationService({
    database,
    clock,
    zone: config.HC_TIME_ZONE,
  });
  const courseService = createCourseService({
    database,
    clock,
    onLoginChanged: (userID) => logins.forget(userID),
  });
  const problemService = createProblemService({ database, clock, dataFolder: config.HC_DATA });
  const homework = createHomeworkService({
    database,
    clock,
    dataFolder: config.HC_DATA,
    zone: config.HC_TIME_ZONE,
    uploadBytes: () => settings.current('limits').UploadBytes,
  });
  const suggestions = createSuggestionService({ database, clock, dataFolder: config.HC_DATA });
  const resources = createResourceService({ database, clock, box });
  const tracking = createTrackService({
    database,
    clock,
    zone: config.HC_TIME_ZONE,
    keepDays: () => settings.current('retention').TrackDays,
    onError: (error) => app.log.warn({ err: error }, 'page views could not be written'),
  });
  const events = new UsageEvents(
    usageService,
    (userID) => notifications.countUnread(userID),
    listener,
  );
  const figures = new LiveFigures({
    read: () => readOnline(database, clock),
    listener,
    onError: (error) => app.log.warn({ err: error }, 'the live figures could not be read'),
  });
  const tickets = createSessionTickets({
    database,
    clock,
    sessionOrigin: config.HC_SESSION_ORIGIN,
  });

  let gateway: Gateway | undefined;
  let worker: UsageWorker | undefined;
  let imageWorker: ImageWorker | undefined;
  let mailWorker: MailWorker | undefined;
  let notificationWorker: NotificationWorker | undefined;
  let judgeWorker: JudgeWorker | undefined;
  let engine: ContainerEngine | null = null;
  const appOptions: AppOptions = {
    logger: options.logger,
    trustProxy: config.HC_TRUST_PROXY,
    safety: {
      publicOrigin: config.HC_PUBLIC_URL,
      sessionOrigin: config.HC_SESSION_ORIGIN,
      captchaSources: () => captcha.sources(),
    },
    pagesFolder: options.pagesFolder,
    fillPage: (html) => fillPage(html, face()),
    metricsToken: config.HC_METRICS_TOKEN,
    version: options.version,
    gateway: () => gateway,
  };
  const app = createApp(appOptions);
  gateway = new Gateway({
    database,
    clock,
    listener,
    logins,
    tickets,
    publicOrigin: config.HC_PUBLIC_URL,
    sessionOrigin: config.HC_SESSION_ORIGIN,
    isBehindProxy: config.HC_TRUST_PROXY,
    log: app.log,
  });
  const theGateway = gateway;
  gateway.attach(app.server);

  const resolvers: Partial<Resolvers> = {
    self: resolveSelf(database),
    domain: resolveDomains(database),
    tag: resolveTags(database),
    lab: resolveLabs(database),
    managedLab: resolveManagedLabs(database),
    labTask: resolveLabTasks(database),
    labResource: resolveLabResources(database),
    image: resolveImages(database),
    managedImage: resolveManagedImages(database),
    imageVersion: resolveImageVersions(database),
    specification: resolveSpecifications(database),
    managedSpecification: resolveManagedSpecifications(database),
    node: resolveNodes,
    ownUsage: resolveOwnUsages(database),
    anyUsage: resolveAnyUsages(database),
    ownComputer: resolveOwnComputers(database),
    managedUser: resolveManagedUsers(database),
    centre: resolveCentres(database),
    auditRecord: resolveAuditRecords(database),
    pictured: resolvePictured(database),
    ownDevice: resolveOwnDevices(database),
    ownIdentity: resolveOwnIdentities(database),
    ownNotification: resolveOwnNotifications(database),
    sentNotification: resolveSentNotifications(database),
    suggestion: resolveSuggestions(database),
    ownSuggestion: resolveOwnSuggestions(database),
    ownResource: resolveOwnResources(database),
    managedResource: resolveManagedResources(database),
    openCentre: resolveOpenCentres(database),
    mail: resolveMails(database),
    software: resolveSoftware(database),
    managedSoftware: resolveManagedSoftware(database),
    course: resolveCourses(database),
    joinedCourse: resolveJoinedCourses(database),
    managedCourse: resolveManagedCourses(database),
    ownCourse: resolveOwnCourses(database),
    courseMember: resolveCourseMembers(database),
    courseAssistant: resolveCourseAssistants(database),
    courseCollaborator: resolveCourseCollaborators(database),
    courseNotice: resolveCourseNotices(database),
    homework: resolveHomework(database, clock),
    managedHomework: resolveManagedHomework(database),
    homeworkAttachment: resolveHomeworkAttachments(database),
    ownSubmission: resolveOwnSubmissions(database),
    readableSubmission: resolveReadableSubmissions(database),
    submissionFile: resolveSubmissionFiles(database),
    gradedPerson: resolveGradedPersons(database),
    attachmentUpload: resolveAttachmentUploads(database),
    submissionUpload: resolveSubmissionUploads(database),
    commentUpload: resolveCommentUploads(database),
    problem: resolveProblems(database),
    managedProblem: resolveManagedProblems(database),
    problemSubmission: resolveProblemSubmissions(database),
  };
  checkResolvers(resolvers);

  installUniversityList(app, universities);
  await fillApp(
    app,
    {
      resolvers,
      identify: (request) => logins.identify(request),
      recorder: createRecorder(database, clock),
      handlers: {
        ...userHandlers(userService, logins, captcha),
        ...registrationHandlers(registrations, captcha, logins),
        ...captchaHandlers(captcha),
        ...mailHandlers(database, clock),
        ...notificationHandlers(database, notifications),
        ...suggestionHandlers(database, suggestions),
        ...resourceHandlers({ database, pool: handle.pool, service: resources }),
        ...accountHandlers(accounts),
        ...ssoHandlers({ service: sso, logins, captcha, publicOrigin: config.HC_PUBLIC_URL }),
        ...trackHandlers(tracking, usageService, config.HC_TIME_ZONE),
        ...dashboardHandlers({
          database,
          clock,
          zone: config.HC_TIME_ZONE,
          mapFolder: join(ROOT, 'content', 'map'),
        }),
        ...universityHandlers(universities),
        ...siteHandlers({
          database,
          usages: usageService,
          logos,
          face,
          version: options.version,
        }),
        ...domainHandlers(database),
        ...auditHandlers({ database, pool: handle.pool }),
        ...userAdminHandlers({ database, pool: handle.pool, service: userAdminService }),
        ...labHandlers(database, labService),
        ...specificationHandlers(database, specificationService),
        ...imageHandlers(database, imageService),
        ...settingHandlers({
          settings,
          logos,
          openWay: () => openWay(config, settings),
          findEmail: (userID) => userService.findEmail(userID),
        }),
        ...environmentHandlers({
          database,
          clock,
          usages: usageService,
          settings,
          capacity,
          folders: [
            config.HC_DATA,
            installationPaths(config.HC_DATA, config.HC_IMAGE_STORE).imageStore,
          ],
        }),
        ...softwareHandlers(database),
        ...courseHandlers({ database, pool: handle.pool, clock, service: courseService }),
        ...problemHandlers({ database, pool: handle.pool, service: problemService }),
        ...homeworkHandlers({ database, clock, service: homework }),
        ...computerHandlers(computers),
        ...usageHandlers({
          database,
          service: usageService,
          computers,
          logins,
          figures,
          events,
          tickets,
          engine: () => engine,
        }),
      },
      checks: {
        database: async () => {
          await readDatabaseTime(database);
          return { isReady: true, reason: null };
        },
        queue: async () => {
          const live = await usageService.findLiveWorker();
          return {
            isReady: live !== undefined && listener.isLive,
            reason: live
              ? listener.isLive
                ? null
                : 'notifications are interrupted'
              : 'no worker has been heard of',
          };
        },
        engine: async () => {
          const live = await usageService.findLiveWorker();
          // The site serves without environments; it says so wherever one would open.
          return {
            isReady: live?.isEngineReady ?? false,
            reason: live ? live.engineReason : 'no worker has been heard of',
            isOptional: true,
          };
        },
      },
      metrics: {
        gauges: {
          usages_running: {
            help: 'Environments that are ready',
            read: () => usageService.countRunning(),
          },
          gateway_sockets: {
            help: 'Open WebSockets to sessions',
            read: () => theGateway.openSockets,
          },
          event_streams: { help: 'Open event streams', read: () => events.openStreams },
        },
      },
    },
    appOptions,
  );

  const sweep = async (): Promise<void> => {
    await userService.sweep();
    await captcha.sweep();
    await userCodes.sweep();
    await sweepMails(database, clock, settings.current('retention').MailDays);
    await logos.sweep(namedLogos(settings), new Date());
    await accounts.sweep();
    await sso.sweep();
    await tickets.sweep();
    await computers.sweep();
    await labService.sweep();
    await homework.sweep();
    await suggestions.sweep();
    await problemService.sweep();
    await tracking
      .work()
      .catch((error: unknown) => app.log.warn({ err: error }, 'page views were not rolled up'));
  };

  return {
    sweep,
    app,
    handle,
    clock,
    listener,
    gateway,
    files,
    events,
    notifications,
    firstAccounts,

    async startWorker(outcome) {
      engine = outcome.engine;
      worker = new UsageWorker({
        handle,
        clock,
        listener,
        engine: outcome.engine,
        engineReason: outcome.reason,
        files,
        findBundleFolder: async (labID) => {
          const [lab] = await findLabs(database, [labID]);
          return lab ? labService.bundleFolder(lab) : null;
        },
        homeFolder: (computerID) => computers.homeFolder(computerID),
        capacity,
        limits: () => {
          const { HoldSeconds, KeepSeconds, PersonalQuotaBytes } = settings.current('limits');
          return {
            holdSeconds: HoldSeconds,
            keepSeconds: KeepSeconds,
            quotaBytes: PersonalQuotaBytes,
          };
        },
        startTimeoutMs: config.HC_START_TIMEOUT_SECONDS * 1000,
        frameAncestors:
          config.HC_SESSION_ORIGIN === undefined ? "'self'" : (config.HC_PUBLIC_URL ?? "'self'"),
        log: app.log,
        sweep,
      });
      await worker.start();
      mailWorker = new MailWorker({
        database,
        clock,
        listener,
        transport: keptWay(config, settings),
        log: app.log,
      });
      mailWorker.start();
      notificationWorker = new NotificationWorker({
        service: notifications,
        listener,
        publicURL,
        log: app.log,
      });
      notificationWorker.start();
      judgeWorker = new JudgeWorker({
        database,
        clock,
        listener,
        sandbox: outcome.sandbox ?? new AbsentSandbox('no sandbox was given'),
        slots: config.HC_JUDGE_SLOTS,
        tests: problemService.tests,
        uploads: problemService.uploads,
        log: app.log,
      });
      judgeWorker.start();
      if (outcome.engine) {
        const { engine: running, host } = outcome;
        imageWorker = new ImageWorker({
          handle,
          clock,
          listener,
          engine: running,
          findUsage: (usageID) => usageService.find(usageID),
          rebuild: host
            ? (image, signal) =>
                buildBuiltInImage(
                  {
                    database,
                    host,
                    engine: running,
                    clock,
                    log: app.log,
                    signal,
                    ownImages: config.HC_IMAGES,
                  },
                  image,
                  { again: true },
                )
            : null,
          logPath: imageLog,
          log: app.log,
        });
        await imageWorker.start();
      }
      return worker;
    },

    async close() {
      databaseClock.stop();
      figures.close();
      events.close();
      theGateway.close();
      await app.close();
      await tracking.close();
      await judgeWorker?.stop();
      await notificationWorker?.stop();
      await mailWorker?.stop();
      await imageWorker?.stop();
      await worker?.stop();
      settings.close();
      await listener.close();
      await handle.close();
    },
  };
}

// The kinds of alert targets by name: each is a record in a file of its own.
import type { TargetType } from '../../base/model/alert.js';
import type { Target } from './target.js';
import { discord } from './targets/discord.js';
import { slack } from './targets/slack.js';
import { telegram } from './targets/telegram.js';
import { webhook } from './targets/webhook.js';

export const TARGETS: Readonly<Record<TargetType, Target>> = { webhook, discord, slack, telegram };

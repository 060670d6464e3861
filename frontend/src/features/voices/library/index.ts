export { ToModel } from "./ModelLink";
export { useListKeys, type View, VoiceList } from "./VoiceList";
export { VoiceState } from "./VoiceState";
export {
  canPreview,
  FavoriteButton,
  PreviewButton,
  previewId,
  useFavorite,
  useVoiceItems,
  VoiceItemsMenu,
} from "./buttons";
export { type Hosted, hostedId, useHostedAccess } from "./hosted";
export { byUse, type Compare, type Entry, groupOf, offerEntries, voiceEntries } from "./entries";
export {
  countOf,
  type Facet,
  filterModels,
  type Filters,
  filterVoices,
  isFiltered,
  isHosted,
  kindOf,
  noFilters,
  type Option,
  optionsOf,
} from "./filter";
export { baseLanguage, type LanguageName } from "./language";
export { rememberVoice, type UsableVoice, useFallback } from "./lastVoice";
export { bareVoice, mixId, parseMix } from "./mix";
export { bareName, type Offer, speaks, useOffers } from "./offers";
export { leaving, useVoices } from "./useVoices";
export { builtIn, type Choice, describeVoice, hostedEngine, type HostedAccess, modelsToGet, type Voice } from "./voice";
export { isBuiltInOffer, useBuiltInOffers, useEspeakMissing } from "./builtIn";
export { chooseProvider, mergeProviders, useChosenProviders } from "./providers";
export { bestFirst, rankOf } from "./rank";
export { shareName, useVoiceWords } from "./words";

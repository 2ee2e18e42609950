// Made by test/eval/make-everyday-words.ts from the glosses of WordNet 3.0, © Princeton University.

/** The 3,000 most frequent words of general English prose, one of each stem, the most frequent first. */
export const everydayWords = `
  the of or in and to an that with by on for is as from having used be who it he states was his united at not relating
  are small any genus which into especially person form flowers make usually something large plant she act manner her
  part cause two someone made other can some time tree has body north people water new between leaves they white when
  american out but up their all consisting work place family than long organization america shaped this more containing
  language without like order group through you system were resembling play over living several produced city color
  light often after point had move member line your shrubs central head no tropical quality yellow animals another world
  red old herbs covered about position where south very natural force good surface area we high fruit characteristic
  found first type take end so blood resulting many process food various law including fish whose activity do power side
  region number name sound development lacking branch characterized words set marked give open common southern change
  during provide right music performance northern will if base river become expression been under back short action
  eastern cells hold only great property life direction western off served disease my english money years government
  down black around together air cut general close widely measure day born control war hand information him occurring
  condition th feeling equal computer way man different substance showing means followed country metal support perennial
  sea things involving sometimes physical most human before study object wood material designed operation face certain
  such remove native against game green carry house public particular skin three capable turn hard eyes original
  structure liquid book building drug put important same clothing responsible effect piece each value europe ancient
  political low acid hair well etc island birds degree period land military european dark french electric asia brown
  office bearing instrument british term growing africa children trade production located cultivated there given noted
  mountain ground young car pass practice go roman social device treat function church come arms greek interest protect
  appearance party seeds get horse writing tissue call blue heat ship considered run near spoken flow own communication
  fire ball event free town capital muscle authority center inhabitant complete amount toward edible national evergreen
  separate oil business woman strong them wall size charge century source similar god indicate away single record room
  kind movement created behavior special west service left southeastern stems element look along increase known thin
  subject class trained me space compound coat associated connected purpose age school bone purple extreme soft
  determine legs collection either field four heart lower what letter england worn present east affected matter
  combination coast paper rules rock chemical last heavy written travel arranged mass relatively species formerly our
  wind deep southwestern largest filled distributed roots vein concerned mind pain both little variety composed child
  character home prepared mexico normal pressure situation narrow much attack existence required official
  classifications students art science lead received need medicine could established player round excessive top less now
  sexual supply extending obtained representing plan keep painting energy care accepted dress religious king feet second
  court flat abnormal thought attached writer ideas security case raised pink full legal price cooked does company
  theory every german intended ferns early derived mythology male must earth secret film belonging while stock plane
  major gas dry program annual quantity spread intense emotional speech fine dealing yielding too continuous success
  university these industrial equipment chiefly engine numerous above level mental reduce death dance motion printed
  wings scale tail fit stage indian orange insects individual specific rather opposite atoms grown series edge believed
  african internal vessel style foot race grass held until electronic thick divided culture president walk vehicle
  prevent fabric california independent draw meat skill course applied bc ornamental grey current fall sun clusters
  basic drink did wine problem limited salt within infection agent loss store middle meeting warm principles atlantic
  range iron may experience mechanical india influence those star self desire night feed gave speaking poisonous project
  view hot tall pacific advance card sharp france respect contract reason sense start return civil killed help stop
  bring job fixed female former dog fungi would marine even clear distance cold front voice question observed formal
  disorder nerve smooth according mouth battle below whole fact hit love distinct team pertaining christian northeastern
  test possession machine read curved true soil slender table criticism resistance possible because bright again women
  allow solution particles just stone added decorative ocean cross constituting layer achieved wheel across egg waves
  temperate conduct sports issue beginning upper pay account rate angle regarded story attention signal lake break men
  highly knowledge pair deciduous took attractive standard china economic australia handle treatment radiation mineral
  leaf medical sweet sells rank temperature main reaction magnetic see ear artery taken workers wild market drive plate
  joint moral northwestern sugar port ice expected burning grain road ill specified opposed alcohol glass danger still
  length eating figure bank aromatic showy division management erect breed commercial pull reference engaged board
  growth stand solid rays defeated cannot fluid medium effort rise neck mammals son flavored wife popular army hole
  vegetables should enter tube passage weight department destroy local built leader pattern site stalk door image street
  hemisphere tending shell customers novel join belief parents remains method season seat convert able taste transmitted
  fibers inflammation milk doctrine construction republic sign spot bed month fragrant favor hours outside policy share
  data duty display surrounding past society enemy tax later pale photographic flesh how release catholic australian
  exercise rich talk executed suitable mother want fear distinguished roll dead suffering clean typically square bill
  ability agency rotating fast please carbon reach offered among final father bar brain bad strike enclosed easily said
  tried sudden election evidence fungus bark loose half minor italian cap financial weather got bomb beautiful orchids
  due teeth union spirit terminal offensive fight resident always dense violent bacteria mediterranean block tool modern
  broad vine done window next mixed parasitic maintain examination membrane ring suggestive best baseball boat opinion
  picture ii forward blow domestic introduced extinct border foliage philosopher rope aircraft then slow section report
  gain damage speed regular list statement became gun formation document education larvae testament understanding
  strength strip mathematics hope weapons discovered soldiers drop promote felt fingers fresh bottom artist straight
  reddish features real available gland fertile touch step pitch sleep decision transportation floor details moth entire
  snakes defense motor noise tone fat molecules mostly colonies federal symbol poet health claim intelligence memory
  patient forest fly late institution shoes sail germany future outer excitement learning police kept box payment
  explosive five few teaching racemes psychological exchange accompanied went preserved string deposits comprising
  breathing try progress vote components empty attribute lost minute find beyond gold garment remark check remembered
  russia steel application sale assigned washing monetary never complex fail difficult led finish reflected crown
  alternative atmosphere labor wear far seems inside cord friends command mixture cream aquatic smoke radio eurasian
  argument failure marriage title prisoners injury nuclear text cavity painter woody troops research surgical garden boy
  destruction fasten stimulation climbing birth larger dried vertical upon shoulder tip loud sex actor improve simple
  capacity beat nose desert higher happening behind perso paid park press third rain chief spring coarse band
  terrestrial enough role correct roof juice dependent came consideration foreign counting basis date population bread
  history japan nuts spikes better items football firm longer refuse agreement artificial utter hanging islamic variable
  transfer pipe judge britain answer rose anything pleasure bell brought consequence smaller logical berries think
  proposal flight demand wire know parallel mature territory presence identified assistance greater trait stream ride
  manufacturing terrorist pigment smelling protein frequently punishment highest replaced immediately adult religion
  lobes advocate canada crystalline avoid superior grant husband apart asked described procedure delivered rest movie
  suit per addition volume bound contact genetic composition ready famous extent russian teacher song score crime
  impression crowd status essential singing sauce girl fashion watch limbs double silver regulate oxygen meal except
  judgment assumed circle drawn post gathering administrative asian also propelled catch competition horizontal fold
  sensitive spanish bridge dull hairy buy insurance funds club discharge declared nervous visible goal win murder
  depression symptoms total big search chain sentence palm absorbed alphabet oxide waste yourself throw truth newspaper
  column cotton recognized serious bond intent york negative blade timber spores gulf occupied message address
  conversation traditional baked pounds reform hunting hearing discussion weak phrase private ceremony stiff plastic
  honor freshwater pods cast attempt celebration criminal detect lips rough six vertebrates television settled rapid
  muslim adjusted coastal twisted participate almost empire physicist illegal sold million weed mine linguistic repeated
  income aid appointed concentration channel syllables external say ten deliberately professional wound chinese leather
  worship spiny married environment else tongue quickly wet file cattle clouds network exhibiting baby rare broken horns
  cool interpretation toes target defendant died restricted telephone boiling thread crystals perceived sum wrong
  attendant path tooth dish dye snow revolution sheet fever fins florida apple beans once articles stomach corporation
  appropriate content inserted instruction powder arch lungs colorless zealand protest partial primitive circuit
  inclined sand john verb stress emergency trouble virtue golf false affairs saint yellowish fleshy resin arrived load
  factor plain orientation here kingdom lose mail shot advantage principal throughout tinged poor cheese vigorous onto
  miles college bit sheep furniture pole bottle devoted employed week cost peace resources architecture urine copy
  conforming bay summer error bat confused suddenly lay intestines visual moderate published scene stick indies italy
  extract chemistry profit sole japanese primarily sky initial absence difficulty harm hill floating saw constant fuel
  disturbance drain easy fell approach seal winter axis corresponding canal valley eart swimming reserve spain feathers
  gene unpleasant extension hollow frequency inner radioactive asiatic dialect acquired quick evil moon rapidly assembly
  tufted exposed reverse legislative won mounted coin lying divine shrubby gradually unusual airplane coffee seen
  selected administered frame cup undergo directly apparent sensation committed key violet sit code brother athlete
  admiration hostile expensive lot behave access slope row wooden eaten credit temporary agreed stay shade stretch
  circulation tract preceding dominant texas victory jump rod relationship tell valuable chromosome somewhat elongated
  employees track obligation trust induced match circular elevation adherent humor himself analysis needle intellectual
  arousing saved passengers send liver tea attitude task explorer literary comfortable sequence optical visit bitter
  example promise audience push shoot warning linked itself adopted oral adapted hindu faith acute coal peninsula fur
  potatoes orbit smile abstract opponent margin shop concealed candidate disk chair modified breast bodily theater guide
  mainly hormone arising jewish plural contest defect constituent lift employment lock shallow page cancer pine
  comparative surgery knee investment immune scientific march decrease representation station reproduction cat greece
  technique disposed verse guard repair habit farm imagination balance rome confidence emit biology witness escape
  actual hat digital notice trunk entertainment admitted flexible greenish disposition persistent circumstances purchase
  necessary aspects transmission defined holy permanent crop inherited imitation jaw corn grape happy scotland algae
  oneself shock calculated occupation caught exposure approval turkey occasion bag adjacent yet arctic sight hospital
  slightly tight gear automobile decay heard doctor let cake odor ireland statesman sent recent deficiency benefits
  upward inferior obstruction significance striped pack forth tears invented radical philosophy speaker infant
  proportional lens altered historical confined chest conventional probably beam vision tiny virus approximately mold
  storm constellation coordinate stroke bow nothing risk enlarged steam storage irritation spoke rubber definite
  contributed grade dinosaurs cylindrical genera metabolism brief tennis accumulation spinal corner earlier economy
  accused relaxed model trial identity equator screen multiple celestial suspended golden solitary pinnate tuberous
  hydrogen wrote split worth intervals brazil tumor incapable province purplish transparent southeast chicken noun
  capture restaurant slowly kidney ribs varying perfect literature boundary traffic spend carnivorous dna toxic campaign
  calendar debt appeal bowl queen rejected classical deeply seven fatty enzyme tendency fermentation goddess gum
  perception implement exert morning irregular investigation imposed rocky subshrubs tied accident render binding pure
  potential physiological negotiations proper scented hebrew classified compressed aware flattened glossy average butter
  tough excellent enjoyed bite lizards latin soup planet hundred mexican egypt onions chamber uniform delay upright pope
  spiritual impulses instead hook pick resort victim outward ordinary interruption secretary dinner raw freedom armor
  grace penetrating israel grammatical contrast exhausted daughter duck creeping ridge anger quarter somebody singer
  naval web request broke owner loan spin missing clay substitute occurrence surprise reality nearly impossible estate
  graduate biological nucleus electromagnetic cycle nail fossil fronds district wool beef trip temporal proved hired
  profession furnished seeks stain waiting scottish ions spines copper reptiles interaction technical automatically
  statistical equivalent mild restore add dancer minister bend least wages cry rear jesus le coextensive motives since
  deprive pin inflated woma stitch emperor silvery beetles peak chemist phase reveal sin missile unable depth injection
  explain deck council jacket tire washington withdrawal jews carefully academic wax kick fully royal dispute tension
  portion wrapped clock mushrooms carved commonly bony tomatoes scarlet calcium inches category demonstrated brush aim
  advertising prior poem hotel interior uterus enforcement meter soap justice dust guests candy prominent whales
  brownish gills alloy politician trace decided inactive knot descended couple medieval doubt northwest delicate ratio
  concept safe register roasted dirty microscope flour broadcast aggressive silk allied ca leathery moment wish downward
  relieve announce cone vapor quite vitality muscular henry beer height impaired tobacco alaska brightly greyish opera
  swelling violence conclusion loop enterprise sacred integrated quiet crack translation survive topic drill bees
  compass really digestive coral synthetic petals architect blind backward gift flies yard spiral stable reputation
  expanded refined retain nocturnal fortune whom clearly bluish virginia texture epiphytic ideal phenomenon wealth
  distress proceeding pregnancy melted whether permit vitamin musician precise anxiety communist pocket lowest
  discipline nasal ago draft rigid mississippi abundant amino mutual everything conflict dollars supreme priest strain
  chance temporarily tape ruler elaborate harsh compact harmony outcome estimate fiction exclusive moist beneath
  burrowing stout hero absolute batter earned struck description agricultural shore hide sufficient nests friendly
  isolated tribes offspring commission convey cosmopolitan accomplished brilliant assets indulgence primary cylinder
  plot mud navigation belt alone reproduce terror freely denoting rodent guinea bore lawyer distant liberal technology
  abdominal injured metric diet physician merchandise claws knife polish throat wedding worms inability hall mast
  combustion camp runner citizens ahead steady superficial voltage judicial shining arizona eurasia hinged shirt chronic
  predicted widespread ski liquor whereby dramatic strongly route shelter joke incorporated acknowledge eight fan cure
  anterior pad kitchen railroad anew sharks soviet sad experienced praise bought prayer master thrown deity zone swing
  foul button heel chopped ran intersection preferred suppressed told consumer cardinal coil revolutionary net zero
  fourth vocal facility sick rails conservative stood map whitish pungent creamy pioneered dimensions further descent
  instance truck delivery goes worldwide choice committee ordinal variation retirement prescribed bush pool poetry irish
  gases dwelling heavily rats woven skirt panicles verbal supposed seize basketball personnel whip began currency
  microorganisms pump worthy hind vibration youth version fair proposition pea basal mosses southwest marshes mat
  distilled solar segments conference sliding inspired solve expert intermediate nurse sliced trap inhaling readily
  consciousness manifestation silky astronomy salad sister consonant violation rocket pronounced pitcher older bent
  valid worry ethical bare hardened christmas stamp beach skull stimulus tent imaginary restraint magazine wheat
  philippines butterfly subfamily woodland tributary staff pulp trail befitting strange vowel fault abuse compete
  lightly strengthen camera chocolate gesture apparatus london specialist shakespeare dissolved erupted elastic
  triangular elegant george invaded entrance explanation mistake cash systematic tie transactions curled condemned tower
  clause deer laid shiny respiratory valve scientist climate piano indefinite arthropods host familiar entity prize fee
  badly non lean steep gram literal driven crushed scope cooperation rhythm rectangular pile die graphic flame arab
  paris cereal linear antibiotic rice conical bulb courage rent awarded efficient logs pathology neutral anesthetic
  fundamental patches agitation tapering crab listened freezing ma am fought infectious buds neighboring sour fence
  colorado tide plumage bushy fried spell succulent spatial already sword judaism mary diving beverages chil dream
  convicted ritual moisture colon trim sewing urban aside relief thickened drooping focus ethnic oval thousands collapse
  adhesive soluble carpet giant weighs tan sodium pakistan comments might creation career healthy ink tender pan leap
  malignant duration ticket rush opportunity lamp themselves cortex congenital spent antibodies soul ownership greatest
  monkey tubular blooming carolina missouri deserving huge guaranteed commodity extra respond pilot diplomatic greeting
  struggle fragments pace soon prey repetition prolonged gambling supervision ovary rust al exact iran lemon arboreal
  forage mathematician leafy permission concrete previous slip barrel threatening magnitude scheme illumination herself
  scheduled shi lecture crested unknown transformation groove warfare romantic bet frog today hay cerebral actress
  suspension weave geographical village oak woolly dutch aluminum mood novelist dig grand habitually addiction enables
  random corrupt slang bishop director inhibits pouring uncontrolled fused theatrical flag inward partner christ
  engraving antigen nitrogen fatal gelatin telescope underground shaft screw prickly norse william background slave
  hockey simultaneously knocked innocent casual via solvent vice manual obscure ballet assertion package ease piercing
  laugh folk affording evaluation proof livestock geological climber odd pepper challenge outdoor burst satisfied basket
  incision shed swallow cow narcotic emphasizing envelope prince landscape inflict adequate counter league drum edition
  advice reply rational output wonder trumpet continent subtropical articulated invitation astronomer adviser volcano
  dislike maximum sure reciprocal embarrassment holder tap slight rubbing swift duct diverse chess bullet sovereign bath
  bus shift safety compartment vascular st dough perfume strap argued olive persian egyptian hardy pinkish lily sat
  ester mirror charm twining spices though expansion orthodox lover ignorance trick finance platform tense impurities
  chewing gravity precipitation bacterium cigarette diamond driver ascending cognitive tolerate conscious hammer
  sculpture remote contempt austria spider sphere turtles fringed argentina inflammatory bolt county canadian prophet
  reign crust outstanding crew everyone compensation amendment firmly fetus user dip bid combat resolution
  accommodations outline regularly decline saddle eliminate cheek sharply usage sensory boss earthquake suspected facial
  plaster secondary although fowl james overcome nd pest polar bubbles bugs boot qualified daily attained sorrow
  launched reflex factory exaggerated inadequate lies treaty revolving disagreeable angry threat endurance pot sweetened
  pursued scattered lawn acceleration ash dimensional biennial gate sunday craft lie anatomy denied sucking knit
  subordinate dining cable poland mucous infestation venomous jelly carriage axes conductor library stew milky sect
  cherry rind volcanic persuade recognition maker borrowed drama jazz installation imperial spontaneous grinding
`;
